import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accountOf, codeOf, link, linkCustom, webhooksOf } from '../support/items-fixtures.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'
import {
  codesOf,
  idsOf,
  insertKnown,
  insertReadyItem,
  insertTestItem,
  type Linked,
  readItem,
  settle,
  start,
  sync,
  takeWebhooks,
  today,
} from '../support/transactions-fixtures.ts'

let service: TestService

beforeAll(async () => {
  service = await startService({ clock: () => Date.parse(start) })
})
afterAll(() => service.close())

type Call = readonly [path: string, body: object]

/** Sends calls at once; what each was answered, in their order. */
const atOnce = (tenant: Tenant, calls: readonly Call[]) =>
  Promise.all(calls.map(([path, body]) => tenant.post(path, body)))

const codesAtOnce = async (tenant: Tenant, calls: readonly Call[]) =>
  (await atOnce(tenant, calls)).map(codeOf)

const times = (count: number, call: Call): Call[] => Array.from({ length: count }, () => call)

const gone = ['ITEM_NOT_FOUND', 'ITEM_CONCURRENTLY_DELETED']

describe('an Item that is removed meanwhile', () => {
  test.each([
    ['/transactions/sync', {}],
    ['/transactions/get', { start_date: today, end_date: today }],
    ['/transactions/refresh', {}],
    ['/sandbox/transactions/set_status', { transactions_update_status: 'NOT_READY' }],
  ])('lets %s finish before, or answers that it is gone', async (path, more) => {
    const tenant = await service.tenant()
    const { access_token } = await insertTestItem(service, tenant)
    const call: Call = [path, { access_token, ...more }]
    const remove: Call = ['/item/remove', { access_token }]
    const [before, removed, after] = await codesAtOnce(tenant, [call, remove, call])
    expect(removed).toBe(200)
    const own = [200, 'PRODUCT_NOT_READY', 'PRODUCT_NOT_ENABLED']
    for (const code of [before, after]) expect([...own, ...gone]).toContain(code)
    expect(await codesAtOnce(tenant, [call])).toEqual(['ITEM_NOT_FOUND'])
  })

  test('gets nothing pulled any more, and tells nothing', async () => {
    const tenant = await service.tenant()
    const item = await insertTestItem(service, tenant)
    const { access_token } = item
    await insertKnown(service, tenant, item, [{}])
    await atOnce(tenant, [
      ['/transactions/sync', { access_token }],
      ['/item/remove', { access_token }],
      ['/sandbox/clock/advance', { seconds: 0 }],
    ])
    await tenant.control('sandboxClockAdvance', { seconds: 86_400 })
    const { webhooks } = await tenant.control('sandboxWebhookList', {})
    expect(webhooks.filter(({ status }) => status === 'pending')).toEqual([])
  })
})

describe('first calls at once', () => {
  test('set transactions up once, whichever operation they are', async () => {
    const tenant = await service.tenant()
    const item = await insertTestItem(service, tenant)
    const { access_token } = item
    await insertKnown(service, tenant, item, [{}])
    const get: Call = ['/transactions/get', { access_token, start_date: today, end_date: today }]
    const first: Call = ['/transactions/sync', { access_token, options: { days_requested: 30 } }]
    await atOnce(tenant, [first, get, first, get])
    await settle(tenant)
    const told = codesOf(await takeWebhooks(service, tenant, item))
    expect(told.filter((code) => code === 'INITIAL_UPDATE')).toHaveLength(1)
    expect(told.filter((code) => code === 'HISTORICAL_UPDATE')).toHaveLength(1)
    expect((await sync(tenant, item)).added).toHaveLength(1)
  })
})

describe('refreshes at once', () => {
  test('find each new transaction once', async () => {
    const tenant = await service.tenant()
    const item = await insertReadyItem(service, tenant, [{}])
    await takeWebhooks(service, tenant, item)
    await insertKnown(service, tenant, item, [{}, {}])
    const { access_token } = item
    await atOnce(tenant, times(4, ['/transactions/refresh', { access_token }]))
    const told = await takeWebhooks(service, tenant, item)
    const found = told.flatMap((body) => body['new_transactions'] ?? [])
    expect(found).toEqual([2])
    expect((await sync(tenant, item)).added).toHaveLength(3)
  })

  test('take a change of owners over once', async () => {
    const tenant = await service.tenant()
    const webhook = 'http://127.0.0.1:9/hooks'
    const { access_token } = await link(tenant, {
      initial_products: ['identity'],
      options: { webhook },
    })
    const { account_id } = await accountOf(tenant, access_token, 'checking')
    const owners = [{ names: ['Maren Talvik-Soo'] }]
    await tenant.control('sandboxIdentityUpdate', { access_token, account_id, owners })
    await atOnce(tenant, times(4, ['/identity/refresh', { access_token }]))
    expect(await webhooksOf(tenant, 'DEFAULT_UPDATE')).toHaveLength(1)
  })

  test('succeed before a permission is taken back, and tell of it afterwards', async () => {
    const tenant = await service.tenant()
    const item = await insertReadyItem(service, tenant, [{}])
    const { access_token } = item
    await takeWebhooks(service, tenant, item)
    await insertKnown(service, tenant, item, [{}])
    const refresh: Call = ['/transactions/refresh', { access_token }]
    const error_code = 'USER_PERMISSION_REVOKED'
    const revoke: Call = ['/sandbox/item/set_health', { access_token, error_code }]
    const [first, , ...others] = await codesAtOnce(tenant, [refresh, revoke, refresh, refresh])
    const codes = [first, ...others]
    for (const code of codes) expect([200, error_code]).toContain(code)
    expect(await codesAtOnce(tenant, [refresh])).toEqual([error_code])
    // The first pull took all of it, and its webhook carried no error.
    const told = await takeWebhooks(service, tenant, item)
    const updates = told.filter((body) => body['webhook_code'] === 'DEFAULT_UPDATE')
    expect(updates.map((body) => body['error'])).toEqual(codes.includes(200) ? [null] : [])
  })
})

describe('changes at once', () => {
  const coffee = {
    amount: 4.75,
    date_posted: today,
    date_transacted: today,
    description: 'KETTLE & FERN',
  }

  test('of new transactions are all kept, and none is read twice', async () => {
    const tenant = await service.tenant()
    const item = await insertReadyItem(service, tenant, [])
    const { access_token } = item
    const create: Call = ['/sandbox/transactions/create', { access_token, transactions: [coffee] }]
    const answers = await atOnce(tenant, times(6, create))
    const ids = answers.flatMap(({ body }) => body['transaction_ids'] as string[])
    expect(idsOf((await sync(tenant, item)).added).sort()).toEqual(ids.sort())
  })

  test('post a pending transaction once', async () => {
    const tenant = await service.tenant()
    const item = await insertReadyItem(service, tenant, [{ pending: true }])
    const { access_token, ids } = item
    const [transaction_id] = ids
    const post: Call = [
      '/sandbox/transactions/update',
      { access_token, transaction_id, pending: false },
    ]
    expect((await codesAtOnce(tenant, times(3, post))).sort()).toEqual([
      200,
      'INVALID_FIELD',
      'INVALID_FIELD',
    ])
    expect((await sync(tenant, item)).added).toMatchObject([{ pending: false }])
  })

  test('rename an account once, since its old id is gone then', async () => {
    const tenant = await service.tenant()
    const item: Linked = await insertReadyItem(service, tenant, [{}])
    const { access_token, accounts } = item
    const account_id = accounts['checking']
    const calls = ['One', 'Two', 'Three'].map((name): Call => {
      return ['/sandbox/account/update', { access_token, account_id, name }]
    })
    const answers = await atOnce(tenant, calls)
    expect(answers.map(codeOf).sort()).toEqual([200, 'INVALID_ACCOUNT_ID', 'INVALID_ACCOUNT_ID'])
    const renamed = answers.find(({ status }) => status === 200)?.body['account_id']
    expect((await sync(tenant, item)).added).toMatchObject([{ account_id: renamed }])
    expect((await readItem(service, tenant, item)).transactions_sequence).toBeGreaterThan(0)
  })

  test('count each wrong attempt to verify an account', async () => {
    const tenant = await service.tenant()
    const { access_token } = await linkCustom(
      tenant,
      [{ type: 'depository', subtype: 'checking', transactions: [] }],
      { institution_id: null, initial_products: ['auth'] },
    )
    const { account_id } = await accountOf(tenant, access_token, 'checking')
    const wrong: Call = [
      '/sandbox/item/verify_microdeposits',
      { access_token, account_id, success: false },
    ]
    const codes = await codesAtOnce(tenant, times(4, wrong))
    expect(codes.filter((code) => code === 200)).toHaveLength(3)
    const { verification_status } = await accountOf(tenant, access_token, 'checking')
    expect(verification_status).toBe('verification_failed')
  })
})
