import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openPostgres } from '../../src/server/db/postgres.ts'
import { DatabaseUnavailable } from '../../src/server/kernel/database.ts'
import { type Line, openLine } from '../support/broken-line.ts'
import { createDatabase, type Place } from '../support/engine.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'
import { insertTestItem } from '../support/transactions-fixtures.ts'

// A service whose database is away: calls have an error, and later work goes on by itself. That nothing
// is lost under load is shown by test/trust/database.test.ts.

let place: Place
let line: Line
let service: TestService
let tenant: Tenant
beforeEach(async () => {
  place = await createDatabase()
  const { hostname, port } = new URL(place.address)
  line = await openLine(hostname, Number(port || 5432))
  const url = new URL(place.address)
  url.host = `127.0.0.1:${line.port}`
  // A failed call is reported as an error, which here is no surprise.
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const log = { info: () => {}, error: () => {} }
  service = await startService({ database: await openPostgres(url.href), log })
  tenant = await service.tenant()
})
afterEach(async () => {
  await service.close()
  await line.close()
  await place.remove()
  vi.restoreAllMocks()
})

const path = '/wallet/create'
const wallet = { iso_currency_code: 'EUR' }

test('a call waits for a database that is away for a moment', async () => {
  await line.close()
  const answer = tenant.post(path, wallet)
  await sleep(500)
  await line.open()
  expect((await answer).status).toBe(200)
})

describe('a database that stays away', () => {
  test('gets `Retry-After`, and nothing was done', async () => {
    await line.close()
    const { status, body, headers } = await tenant.post(path, wallet)
    await line.open()
    expect(status).toBe(503)
    expect(headers.get('Retry-After')).toBe('5')
    expect(body).toMatchObject({
      error_code: 'PLANNED_MAINTENANCE',
      error_message: expect.stringContaining('cannot use its database at the moment; nothing was'),
    })
    const { body: list } = await tenant.post('/wallet/list', {})
    expect(list['wallets']).toEqual([])
  })
})

describe('a database that goes away after a commit', () => {
  test('is not reported as if nothing had been done', async () => {
    const { runner } = service.service
    const { now } = await tenant.control('sandboxClockGet', {})
    runner.runDue = () => Promise.reject(new DatabaseUnavailable('away'))
    const { status, body } = await tenant.post('/sandbox/clock/advance', { seconds: 86_400 })
    expect(status).toBe(500)
    expect(body['error_message']).toContain('look whether it did before you repeat it')
    const moved = await tenant.control('sandboxClockGet', {})
    expect(Date.parse(moved.now)).toBeGreaterThanOrEqual(Date.parse(now) + 86_400_000)
  })
})

describe('work for later', () => {
  let receiver: Receiver
  beforeEach(async () => {
    receiver = await startReceiver()
  })
  afterEach(() => receiver.close())

  test('is done once the database is back, without a word from anybody', async () => {
    receiver.behave('hang')
    const { access_token } = await insertTestItem(service, tenant, { webhook: receiver.url })
    const fire = { access_token, webhook_code: 'DEFAULT_UPDATE' as const }
    for (const _time of [1, 2, 3]) await tenant.control('sandboxItemFireWebhook', fire)
    const [first] = await receiver.arrivals(1)
    // The first is answered while there is no database to note it in.
    await line.close()
    receiver.behave(200)
    first?.answer(200)
    await sleep(100)
    await line.open()
    await receiver.arrivals(3)
    const { webhooks } = await tenant.control('sandboxWebhookList', {})
    expect(webhooks).toHaveLength(3)
  })
})
