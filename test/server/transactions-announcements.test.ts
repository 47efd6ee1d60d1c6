import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ItemInput, insertItem } from '../../src/server/fixtures/insert-item.ts'
import { generateItem } from '../../src/server/simulation/generate-item.ts'
import { toPlainSpec } from '../../src/server/transactions/plain-transaction.ts'
import { allFeatures, startService, type Tenant, type TestService } from '../support/service.ts'
import {
  codesOf,
  daysAgo,
  errorOf,
  inContext,
  insertKnown,
  insertReadyItem,
  insertTestItem,
  rejectedWith,
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

const oneDay = { seconds: 86_400 }
const tomorrow = daysAgo(-1)

const coffee = {
  amount: 4.75,
  date_posted: today,
  date_transacted: today,
  description: 'KETTLE & FERN',
}

describe('the webhooks about transactions', () => {
  test('carry what is wrong with the Item, but for the one that cannot', async () => {
    const tenant = await service.tenant()
    const item = await insertTestItem(service, tenant)
    const { access_token } = item
    await tenant.control('sandboxItemSetHealth', { access_token, error_code: 'ITEM_LOCKED' })
    const status = { transactions_update_status: 'HISTORICAL_UPDATE_COMPLETE' } as const
    await tenant.control('sandboxTransactionsSetStatus', { access_token, ...status })
    const { transaction_ids } = await tenant.control('sandboxTransactionsCreate', {
      access_token,
      transactions: [coffee],
    })
    await tenant.control('sandboxTransactionsRemove', { access_token, transaction_ids })
    const locked = expect.objectContaining({ error_code: 'ITEM_LOCKED', status: 400 })
    const told = await takeWebhooks(service, tenant, item)
    expect(told.map(({ webhook_code, error }) => [webhook_code, error])).toEqual([
      ['ERROR', locked],
      ['INITIAL_UPDATE', null],
      ['HISTORICAL_UPDATE', locked],
      ['DEFAULT_UPDATE', locked],
      ['TRANSACTIONS_REMOVED', locked],
    ])
  })

  test('tell of transactions that follow an account to its new id, if there are any', async () => {
    const tenant = await service.tenant()
    const item = await insertReadyItem(service, tenant, [{}])
    const { access_token, accounts } = item
    await takeWebhooks(service, tenant, item)
    const rename = (account_id = '') =>
      tenant.control('sandboxAccountUpdate', { access_token, account_id, name: 'Renamed' })
    await rename(accounts['credit card'])
    expect(await takeWebhooks(service, tenant, item)).toEqual([])
    await rename(accounts['checking'])
    const told = await takeWebhooks(service, tenant, item)
    expect(codesOf(told)).toEqual(['SYNC_UPDATES_AVAILABLE'])
  })
})

describe('the two refreshes', () => {
  test.each([
    ['/transactions/refresh', 'transactions_refresh', 'transactions'],
    ['/identity/refresh', 'identity_refresh', 'identity'],
  ])('%s tells what is wrong with the Item before what the client may not', async (...row) => {
    const [path, addOn, product] = row
    const tenant = await service.tenant(allFeatures.filter((feature) => feature !== addOn))
    const products = [product]
    const { access_token } = await insertTestItem(service, tenant, { products, available: [] })
    const error_code = 'ITEM_LOGIN_REQUIRED'
    await tenant.control('sandboxItemSetHealth', { access_token, error_code })
    expect(await errorOf(tenant, path, { access_token })).toEqual(
      rejectedWith('ITEM_ERROR', error_code),
    )
    await tenant.control('sandboxItemSetHealth', { access_token, error_code: null })
    expect(await errorOf(tenant, path, { access_token })).toEqual(
      rejectedWith('INVALID_INPUT', 'INVALID_PRODUCT'),
    )
  })
})

/** An Item whose data stays as it is, with one transaction that is dated ahead. */
function insertStill(tenant: Tenant, more: Partial<ItemInput>) {
  const [head] = generateItem('still', { anchor: today, country: 'US', days: 1 }).accounts
  if (!head) throw new Error('a generated Item has accounts')
  const transaction = toPlainSpec({
    amount: 20,
    date: tomorrow,
    authorized_date: null,
    iso_currency_code: 'USD',
    unofficial_currency_code: null,
    description: 'OAKMARKET #17',
    pending: false,
  })
  const accounts = [{ ...head, transactions: [transaction] }]
  return inContext(service, tenant, async (ctx) => {
    const { account_id: _, ...account } = accounts[0] ?? head
    const { item, access_token } = await insertItem(ctx, {
      institution: null,
      products: ['transactions'],
      available_products: [],
      consented_products: ['transactions'],
      webhook: 'http://127.0.0.1:9/hooks',
      accounts: [account],
      ...more,
    })
    return { item_id: item.item_id, access_token, accounts: {} }
  })
}

describe('what is dated ahead', () => {
  test('shows itself on its day for an Item that is written as ready', async () => {
    const tenant = await service.tenant()
    const item = await insertStill(tenant, {
      transactions_status: 'HISTORICAL_UPDATE_COMPLETE',
      days_requested: 90,
    })
    expect((await sync(tenant, item)).added).toEqual([])
    await tenant.control('sandboxClockAdvance', oneDay)
    expect((await sync(tenant, item)).added).toMatchObject([{ date: tomorrow }])
    const codes = codesOf(await takeWebhooks(service, tenant, item))
    expect(codes).toEqual(['DEFAULT_UPDATE', 'SYNC_UPDATES_AVAILABLE'])
  })

  test('shows itself whatever way the status was set', async () => {
    const tenant = await service.tenant()
    const item = await insertTestItem(service, tenant)
    const { access_token } = item
    await insertKnown(service, tenant, item, [{ date: tomorrow }])
    for (const status of [
      'TRANSACTIONS_UPDATE_STATUS_UNKNOWN',
      'HISTORICAL_UPDATE_COMPLETE',
    ] as const) {
      const transactions_update_status = status
      await tenant.control('sandboxTransactionsSetStatus', {
        access_token,
        transactions_update_status,
      })
    }
    expect((await sync(tenant, item)).added).toEqual([])
    await tenant.control('sandboxClockAdvance', oneDay)
    expect((await sync(tenant, item)).added).toHaveLength(1)
  })
})
