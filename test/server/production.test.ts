import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadSeedData } from '../../src/server/fixtures/load-seed-data.ts'
import { toDate, toTimestamp } from '../../src/server/kernel/time.ts'
import { runOperatorCommand } from '../../src/server/operator/operator-command.ts'
import { importText, january, writeStatement } from '../support/import-file.ts'
import { newAccessToken, newTenant } from '../support/operator.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'

// In production nothing is simulated: data comes from files, and what needs a provider is rejected.

const dayMs = 86_400_000
let now = Date.parse('2026-03-16T12:00:00Z')

let service: TestService
beforeAll(async () => {
  service = await startService({
    clock: () => now,
    settings: { environment: 'production', reportDelayMs: 0 },
  })
})
afterAll(() => service.close())

const listWebhooks = () =>
  service.service.database.read((db) => db.all('select webhook_id from webhook_deliveries'))

test('a month passes, and nothing is new', async () => {
  const tenant = await newTenant(service, { webhook: 'https://lender.example.com/webhooks' })
  const order = { client_id: tenant.clientId }
  const { item_id } = await importText(service, writeStatement('OFX 1.x', january), order)
  const access_token = await newAccessToken(service, item_id)
  const before = await tenant.api.transactionsSync({ access_token }).orThrow()
  const { accounts } = await tenant.api.accountsGet({ access_token }).orThrow()
  const runDue = () => service.service.runner.runDue(tenant.clientId)
  expect(await listWebhooks()).toHaveLength(2)
  for (let days = 0; days < 31; days += 1) {
    now += dayMs
    await runDue()
  }
  const cursor = before.next_cursor
  const after = await tenant.api.transactionsSync({ access_token, cursor }).orThrow()
  // What a refresh reads is nothing either.
  await tenant.api.transactionsRefresh({ access_token }).orThrow()
  await runDue()
  const last = await tenant.api.transactionsSync({ access_token, cursor }).orThrow()
  expect([last.added, last.modified, last.removed]).toEqual([[], [], []])
  expect([after.added, after.modified, after.removed]).toEqual([[], [], []])
  const later = await tenant.api.accountsGet({ access_token }).orThrow()
  expect(later.accounts).toEqual(accounts)
  expect(await listWebhooks()).toHaveLength(2)
})

describe('what needs a provider', () => {
  const numbers = { account_number: '12345678', routing_number: '021000021' }
  test.each([
    ['/wallet/create', { iso_currency_code: 'GBP' }],
    ['/transfer/migrate_account', { ...numbers, account_type: 'checking' }],
  ])('%s makes nothing up', async (path, body) => {
    // With every feature that can be granted.
    const tenant = await service.tenant()
    const { status, body: answer } = await tenant.post(path, body)
    expect([status, answer['error_code']]).toEqual([400, 'UNAUTHORIZED_ROUTE_ACCESS'])
    expect(answer['error_message']).toContain('needs a provider')
    // No operator can enable it.
    expect(answer['suggested_action']).not.toContain('enabled for your client')
  })

  test('/protect/event/send takes the event, and makes no score up', async () => {
    const tenant = await service.tenant()
    const event = { timestamp: '2026-03-16T12:00:00Z', user_sign_in: {} }
    const { status, body } = await tenant.post('/protect/event/send', {
      event,
      request_trust_index: true,
    })
    // An empty `fraud_attributes` would say that somebody looked.
    expect([status, body]).toEqual([
      200,
      { event_id: expect.any(String), trust_index: null, request_id: expect.any(String) },
    ])
    const stored = await service.service.database.read((db) =>
      db.all('select event_id, trust_index from protect_events'),
    )
    expect(stored).toEqual([{ event_id: body['event_id'], trust_index: null }])
  })
})

describe('an Item that an earlier version generated', () => {
  const secret = '5f0c9b1e7a3d48264c8e90f2b7d61a35'
  const access_token = 'access-production-7c1d2f30-5e4a-4b6c-9d8e-0f1a2b3c4d5e'

  /** Everything that a client sees of its Item, and its webhooks. */
  async function look(tenant: Tenant) {
    const { accounts } = await tenant.api.accountsGet({ access_token }).orThrow()
    const added = []
    for (let cursor = '', more = true; more; ) {
      const page = await tenant.api.transactionsSync({ access_token, cursor, count: 500 }).orThrow()
      added.push(...page.added)
      cursor = page.next_cursor
      more = page.has_more
    }
    return { accounts, added, webhooks: await listWebhooks() }
  }

  test('stays as it is for a month', async () => {
    const generate = { name: 'A Holder', days: 30 }
    const webhook = 'https://lender.example.com/webhooks'
    const products = ['transactions' as const]
    const item = { access_token, institution_id: null, products, webhook, generate }
    const world = { clients: [{ client_id: 'lender', secret, items: [item] }] }
    const { database, runner } = service.service
    await database.exclusive((db) =>
      loadSeedData(service.service, db, world, { seed: 'a', anchor: toDate(toTimestamp(now)) }),
    )
    const [row] = await database.read((db) => db.all("select evolves from items where seed <> ''"))
    expect(row).toEqual({ evolves: 1 })
    const tenant = service.tenantOf('lender', secret)
    const before = await look(tenant)
    expect(before.added.length).toBeGreaterThan(20)
    for (let days = 0; days < 31; days += 1) {
      now += dayMs
      await runner.runDue('lender')
    }
    expect(await look(tenant)).toEqual(before)
    await tenant.api.transactionsRefresh({ access_token }).orThrow()
    await runner.runDue('lender')
    expect(await look(tenant)).toEqual(before)
  })
})

test('a refresh does not make data newer than its file', async () => {
  const tenant = await newTenant(service)
  const order = { client_id: tenant.clientId }
  const { item_id } = await importText(service, writeStatement('OFX 1.x', january), order)
  const access_token = await newAccessToken(service, item_id)
  const lastUpdate = async () =>
    (await tenant.api.itemGet({ access_token }).orThrow()).status.transactions
      ?.last_successful_update
  const imported = await lastUpdate()
  expect(imported).toBe(toTimestamp(now))
  now += dayMs
  await tenant.api.transactionsRefresh({ access_token }).orThrow()
  const refresh = { item: 'refresh', id: item_id ?? '', actor: 'test' } as const
  await runOperatorCommand(service.service, refresh, (async function* () {})())
  expect(await lastUpdate()).toBe(imported)
  await importText(service, writeStatement('OFX 1.x', january), order)
  expect(await lastUpdate()).toBe(toTimestamp(now))
})

describe('an address that production never sends webhooks to is rejected', () => {
  const user = { client_user_id: 'ada' }
  const link = { client_name: 'Budget app', language: 'en', country_codes: ['US'], user }
  const bodies = {
    '/item/webhook/update': (webhook: string, access_token: string) => ({ access_token, webhook }),
    '/link/token/create': (webhook: string) => ({ ...link, products: ['transactions'], webhook }),
    '/asset_report/create': (webhook: string, access_token: string) => ({
      access_tokens: [access_token],
      days_requested: 10,
      options: { webhook },
    }),
  }
  test.each(Object.entries(bodies))('by %s', async (path, toBody) => {
    const tenant = await newTenant(service)
    const order = { client_id: tenant.clientId }
    const { item_id } = await importText(service, writeStatement('OFX 1.x', january), order)
    const access_token = await newAccessToken(service, item_id)
    const post = async (webhook: string) =>
      (await tenant.post(path, toBody(webhook, access_token))).body
    for (const host of ['127.0.0.1:9', 'localhost', '10.0.0.1', '[::1]']) {
      const { error_code, error_message } = await post(`https://${host}/w`)
      expect([host, error_code]).toEqual([host, 'INVALID_FIELD'])
      expect(error_message).toMatch(
        /webhook` must be an https:\/\/ address on the public internet$/,
      )
    }
    expect(await post('http://lender.example.com/w')).toMatchObject({ error_code: 'INVALID_FIELD' })
    expect(await post('https://lender.example.com/w')).not.toHaveProperty('error_code')
  })
})
