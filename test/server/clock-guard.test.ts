import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { findLastUsed } from '../../src/server/boot/last-used.ts'
import { createClockGuard } from '../../src/server/kernel/clock-guard.ts'
import { WritesRejected } from '../../src/server/kernel/database.ts'
import { openTestStore } from '../support/engine.ts'
import { startService } from '../support/service.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const begin = Date.parse('2026-03-16T12:00:00Z')

describe('a clock that jumps while the service runs', () => {
  function guarded(environment: 'sandbox' | 'production') {
    const state = { now: begin, told: [] as string[] }
    const guard = createClockGuard({
      clock: () => state.now,
      log: { info: () => {}, error: (error) => void state.told.push(String(error)) },
      settings: { environment, reportDelayMs: 0 },
    })
    const at = (ms: number) => {
      state.now = begin + ms
      return guard.isRight()
    }
    return { state, at }
  }

  test('is accepted up to a day back, and logged once beyond', () => {
    const { state, at } = guarded('sandbox')
    expect([at(0), at(-23 * hourMs), at(0)]).toEqual([true, true, true])
    expect([at(-25 * hourMs), at(-25 * hourMs), at(800 * dayMs)]).toEqual([false, false, true])
    expect(state.told).toEqual([
      'Error: the clock has jumped to 2026-03-15T11:00:00Z, more than a day before 2026-03-16T12:00:00Z',
    ])
  })

  test('is accepted up to 90 days ahead in production', () => {
    const { at } = guarded('production')
    expect([at(89 * dayMs), at(180 * dayMs), at(179 * dayMs)]).toEqual([true, false, true])
  })
})

/** A service with a job that is due in 80 days, and a clock that the test moves. */
async function started(environment: 'sandbox' | 'production') {
  const state = { now: begin, told: [] as string[] }
  const store = await openTestStore()
  const [database, ...rest] = store.databases
  for (const other of rest) await other.close()
  if (!database) throw new Error('there is no store')
  const service = await startService({
    database,
    clock: () => state.now,
    settings: { environment, reportDelayMs: 0 },
    log: { info: () => {}, error: (_, message) => void state.told.push(message) },
  })
  onTestFinished(async () => {
    await service.close()
    await store.remove()
  })
  const { clientId } = await service.tenant()
  await database.transaction((db) =>
    db.run(
      `insert into jobs (client_id, job_id, kind, payload, due_at)
        values ($1, 'job-1', 'transactionsCheck', '{"item_id":"none"}', $2)`,
      [clientId, begin + 80 * dayMs],
    ),
  )
  const moveTo = (ms: number) => {
    state.now = begin + ms
    service.service.runner.wake()
  }
  const left = () => database.read((db) => db.all<object>('select job_id from jobs'))
  return { state, moveTo, left }
}

const patience = { timeout: 10_000 }

describe('work in the background', () => {
  test('waits in production while the clock is months ahead, and goes on by itself', async () => {
    const { state, moveTo, left } = await started('production')
    moveTo(100 * dayMs)
    const waits = 'work in the background waits until the clock is right'
    await expect.poll(() => state.told, patience).toContain(waits)
    moveTo(100 * dayMs)
    expect(await left()).toHaveLength(1)
    moveTo(81 * dayMs)
    await expect.poll(left, patience).toEqual([])
  })

  test('goes on in a sandbox, whose clock may be put ahead', async () => {
    const { state, moveTo, left } = await started('sandbox')
    moveTo(100 * dayMs)
    await expect.poll(left, patience).toEqual([])
    expect(state.told).toEqual([])
  })
})

test('a disk that has room again tells no moment of a clock that has jumped', async () => {
  const state = { now: begin, isFull: false, passedMs: 0 }
  const real = performance.now.bind(performance)
  const watch = vi.spyOn(performance, 'now').mockImplementation(() => real() + state.passedMs)
  onTestFinished(() => void watch.mockRestore())
  const store = await openTestStore()
  const [database, ...rest] = store.databases
  if (!database) throw new Error('a store has a database')
  for (const other of rest) await other.close()
  const service = await startService({
    clock: () => state.now,
    log: { info: () => {}, error: () => {} },
    database: {
      ...database,
      transaction: (work, options) =>
        state.isFull
          ? Promise.reject(new WritesRejected('full', 'its disk is full'))
          : database.transaction(work, options),
    },
  })
  onTestFinished(async () => {
    await service.close()
    await store.remove()
  })
  const writes = async () => {
    state.passedMs += 10_000
    return (await service.readiness.check()).checks.writes
  }
  state.isFull = true
  await expect(service.service.database.transaction(async () => {})).rejects.toThrow('full')
  state.isFull = false
  state.now = begin - 800 * dayMs
  await expect.poll(writes).toBe('ok')
  expect(await findLastUsed(database)).toBe(begin)
})
