import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  type Database,
  DatabaseUnavailable,
  UnknownOutcome,
} from '../../src/server/kernel/database.ts'
import { mostOfClient } from '../../src/server/pipeline/concurrency-limiter.ts'
import { openTestStore } from '../support/engine.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'

// A store that cannot keep a change, whatever the reason: a full disk, or a server that is away.

let service: TestService
let tenant: Tenant
let failure: Error | undefined
/** Until then nothing can be written. */
let back: Promise<void> | undefined
let isClosed: boolean
let remove: () => Promise<void>
const told: unknown[] = []
beforeEach(async () => {
  const store = await openTestStore()
  remove = store.remove
  const [database, ...others] = store.databases as [Database, ...Database[]]
  for (const other of others) await other.close()
  failure = undefined
  back = undefined
  isClosed = false
  told.length = 0
  service = await startService({
    database: {
      ...database,
      transaction: async (work, options) => {
        await back
        return failure ? Promise.reject(failure) : database.transaction(work, options)
      },
      close: async () => {
        await database.close()
        isClosed = true
      },
    },
    log: { info: () => {}, error: (error) => told.push(error) },
  })
  tenant = await service.tenant()
})
afterEach(async () => {
  vi.useRealTimers()
  failure = undefined
  if (!isClosed) await service.close()
  await remove()
})

const create = () => tenant.post('/wallet/create', { iso_currency_code: 'EUR' })

test('a failed commit is answered 503 with `Retry-After`, and logged with its reason', async () => {
  failure = new DatabaseUnavailable('/data/service.sqlite cannot be used now: its disk is full')
  const { status, body, headers } = await create()
  expect(status).toBe(503)
  expect(body).toMatchObject({ error_type: 'API_ERROR', error_code: 'PLANNED_MAINTENANCE' })
  expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0)
  expect(JSON.stringify(body)).not.toContain('/data/')
  expect(told).toContain(failure)
  expect((await tenant.post('/wallet/list', {})).status).toBe(200)
  failure = undefined
  expect((await create()).status).toBe(200)
})

test('an ambiguous commit is answered 500, which clients do not retry', async () => {
  failure = new UnknownOutcome('the disk failed')
  const { status, body, headers } = await create()
  expect(status).toBe(500)
  expect(body).toMatchObject({ error_code: 'INTERNAL_SERVER_ERROR' })
  expect(body['error_message']).toContain('look whether it did before you repeat it')
  expect(headers.get('Retry-After')).toBeNull()
  expect(told).toContain(failure)
})

test('the token operations answer alike', async () => {
  failure = new DatabaseUnavailable('away')
  const { status, body } = await tenant.post('/oauth/token', { grant_type: 'client_credentials' })
  expect(status).toBe(503)
  expect(body).toMatchObject({ error_code: 'PLANNED_MAINTENANCE' })
})

test('its end closes it though the last calls cannot be noted, and tells why they cannot', async () => {
  await create()
  failure = new DatabaseUnavailable('its disk is full')
  await expect(service.close()).rejects.toBe(failure)
  expect(isClosed).toBe(true)
})

/** Waits for turns of the event loop: `expect.poll` would move the fake clock. */
async function turnsUntil(holds: () => boolean): Promise<void> {
  while (!holds()) await turn()
}

test('of many that come while nothing can be written, none stands in the line for longer than ten seconds', async () => {
  // Only a client whose credentials have been found right has a share of its own. The pool opens its
  // connections here: one that is still being opened would time out as soon as the fake clock moves.
  await Promise.all(Array.from({ length: 40 }, create))
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] })
  let end = () => {}
  back = new Promise((resolve) => {
    end = resolve
  })
  const rejected: { status: number; after: string | null }[] = []
  const calls = Array.from({ length: 300 }, async () => {
    const { status, headers } = await create()
    if (status !== 200) rejected.push({ status, after: headers.get('Retry-After') })
    return status
  })
  await turnsUntil(() => service.limiter.waiting() === 300 - mostOfClient)
  await vi.advanceTimersByTimeAsync(9900)
  await turn()
  expect(rejected).toEqual([])
  await vi.advanceTimersByTimeAsync(200)
  await turnsUntil(() => rejected.length === 300 - mostOfClient)
  vi.useRealTimers()
  end()
  const statuses = await Promise.all(calls)
  expect(statuses.filter((status) => status === 200)).toHaveLength(mostOfClient)
  expect(rejected.every(({ status, after }) => status === 503 && Number(after) > 0)).toBe(true)
  expect(told).toEqual([])
})
