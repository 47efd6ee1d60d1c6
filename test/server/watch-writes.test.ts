import { describe, expect, test } from 'vitest'
import { operations } from '#contract/operations.ts'
import { createReadiness } from '../../src/server/boot/readiness.ts'
import { openSqlite } from '../../src/server/db/sqlite.ts'
import { toStoreError } from '../../src/server/db/sqlite-error.ts'
import { watchWrites } from '../../src/server/db/watch-writes.ts'
import {
  type Database,
  DatabaseUnavailable,
  WritesRejected,
} from '../../src/server/kernel/database.ts'
import { createRateLimits } from '../../src/server/pipeline/rate-limits.ts'
import type { OperationRow } from '../../src/server/versions/select-version.ts'

const full = { code: 'ERR_SQLITE_ERROR', errcode: 13 }
const rejected = 'refused: its disk is full'

/** A store that is full when the test says so, and who asks whether it can be written. */
function scene() {
  const state = { isFull: false, now: 0, tried: 0 }
  const embedded = openSqlite(':memory:')
  const database: Database = {
    ...embedded,
    single: { ...embedded.single, first: async () => ({ newest: 1 }) as never },
    transaction: async (work, options) => {
      if (state.isFull) throw toStoreError('/data/service.sqlite', full)
      return embedded.transaction(work, options)
    },
  }
  const watch = watchWrites(
    database,
    async ({ transaction }) => {
      state.tried += 1
      await transaction(async () => {})
    },
    () => state.now,
  )
  const { check } = createReadiness({ ...watch.database, ...watch }, () => state.now)
  const write = () => watch.database.transaction(async () => {}).catch((error: unknown) => error)
  /** What /readyz says at a moment, once what it has begun is over. */
  const at = async (now: number) => {
    state.now = now
    const { ready, checks } = await check()
    await new Promise((resolve) => setImmediate(resolve))
    return [ready, checks.writes]
  }
  return { state, watch, write, at, close: embedded.close }
}

describe('a store that takes no writes', () => {
  test('is reported by /readyz, which stays ready, without the name of a file', async () => {
    const { state, write, at, close } = scene()
    expect(await at(0)).toEqual([true, 'ok'])
    state.isFull = true
    expect(await write()).toBeInstanceOf(WritesRejected)
    expect(await at(1000)).toEqual([true, rejected])
    await close()
  })

  test('is tried again once no write has failed for five seconds, and comes back', async () => {
    const { state, write, at, close } = scene()
    state.isFull = true
    await write()
    expect([await at(4999), state.tried]).toEqual([[true, rejected], 0])
    expect([await at(6000), state.tried]).toEqual([[true, rejected], 1])
    state.isFull = false
    // Others may find a little room, or have nothing to write.
    await write()
    expect(await at(7000)).toEqual([true, rejected])
    expect([await at(11_000), state.tried]).toEqual([[true, rejected], 2])
    expect(await at(12_000)).toEqual([true, 'ok'])
    await close()
  })

  test('lets calls in that cannot be counted, and nothing else does', async () => {
    const failing = (error: Error) => ({ transaction: async () => Promise.reject(error) })
    const operation = operations.walletList as unknown as OperationRow
    const count = (error: Error) =>
      createRateLimits('production', failing(error) as unknown as Database, () => 0).count(
        { client_id: 'one' } as never,
        operation,
        () => undefined,
      )
    await expect(count(new WritesRejected('full', 'full'))).resolves.toBeUndefined()
    await expect(count(new DatabaseUnavailable('away'))).rejects.toThrow('away')
  })
})
