import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openPostgres } from '../../src/server/db/postgres.ts'
import { DatabaseUnavailable } from '../../src/server/kernel/database.ts'
import { type Line, openLine } from '../support/broken-line.ts'
import { createDatabase, type Place } from '../support/engine.ts'
import { asAdmin } from '../support/postgres-server.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { type Answered, startService, type Tenant, type TestService } from '../support/service.ts'
import { insertTestItem } from '../support/transactions-fixtures.ts'

// A service whose connections to the database end under it, or whose database is away for a while.
// Calls wait for it or have an error; then all goes on by itself, and nothing is lost.

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
  // What could not be done is told as an error, which here is no surprise.
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

/** Creates wallets by several callers at once while something happens; what they were answered. */
async function createDuring(happens: () => Promise<void>): Promise<Answered[]> {
  const answers: Answered[] = []
  let isOver = false
  const call = async () => {
    while (!isOver) answers.push(await tenant.post(path, wallet))
  }
  const callers = [1, 2, 3, 4, 5, 6].map(call)
  await happens()
  isOver = true
  await Promise.all(callers)
  return answers
}

/** The wallets that are there are those that were answered, and maybe of those that were not. */
async function expectKept(answers: readonly Answered[]): Promise<void> {
  const made = answers.filter(({ status }) => status === 200)
  const failed = answers.filter(({ status }) => status !== 200)
  expect(failed.filter(({ status }) => status !== 500 && status !== 503)).toEqual([])
  const rows = await service.service.database.single.all<{ wallet_id: string }>(
    'select wallet_id from wallets where client_id = $1',
    [tenant.clientId],
  )
  const stored = new Set(rows.map(({ wallet_id }) => wallet_id))
  expect(made.filter(({ body }) => !stored.has(String(body['wallet_id'])))).toEqual([])
  expect(rows.length).toBeLessThanOrEqual(made.length + failed.length)
  expect((await tenant.post(path, wallet)).status).toBe(200)
}

describe('a service', () => {
  test('goes on when its connections end under load, again and again', async () => {
    const answers = await createDuring(async () => {
      for (let cuts = 0; cuts < 8; cuts += 1) {
        await tenant.post('/wallet/list', {})
        line.cut()
      }
    })
    await expectKept(answers)
  })

  test('goes on when the server ends its connections', async () => {
    const name = new URL(place.address).pathname.slice(1)
    const answers = await createDuring(async () => {
      for (let cuts = 0; cuts < 8; cuts += 1) {
        await tenant.post('/wallet/list', {})
        await asAdmin(
          (sql) =>
            sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`,
        )
      }
    })
    await expectKept(answers)
  })

  test('waits for a database that is away for a moment', async () => {
    const answers = await createDuring(async () => {
      await line.close()
      await sleep(500)
      await line.open()
      await tenant.post('/wallet/list', {})
    })
    const [last] = answers.slice(-1)
    expect(last?.status).toBe(200)
    await expectKept(answers)
  })
})

describe('a database that stays away', () => {
  test('is told with when to come back, and nothing was done', async () => {
    await line.close()
    const { status, body, headers } = await tenant.post(path, wallet)
    await line.open()
    expect(status).toBe(503)
    expect(headers.get('Retry-After')).toBe('5')
    expect(body).toMatchObject({
      error_code: 'PLANNED_MAINTENANCE',
      error_message: 'the service cannot use its database at the moment; nothing was done',
    })
    const { body: list } = await tenant.post('/wallet/list', {})
    expect(list['wallets']).toEqual([])
  })
})

describe('a database that goes away after a commit', () => {
  test('is not told as if nothing had been done', async () => {
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
