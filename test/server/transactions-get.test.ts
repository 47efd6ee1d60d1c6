import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TransactionsGetRequest } from '#contract/types.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'
import {
  codesOf,
  daysAgo,
  errorOf,
  idsOf,
  insertKnown,
  insertReadyItem,
  insertTestItem,
  type Known,
  type Linked,
  readItem,
  rejectedWith,
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

const path = '/transactions/get'
const notReady = rejectedWith('ITEM_ERROR', 'PRODUCT_NOT_READY')
const everything = { start_date: '2020-01-01', end_date: '2030-01-01' }

const ready = (tenant: Tenant, known: readonly Known[]) => insertReadyItem(service, tenant, known)

async function get(
  tenant: Tenant,
  { access_token }: Linked,
  more: Partial<TransactionsGetRequest> = {},
) {
  const { data, error } = await tenant.api.transactionsGet({
    access_token,
    ...everything,
    ...more,
  })
  if (error) throw new Error(JSON.stringify(error))
  return data
}

describe('transactionsGet', () => {
  test('is not ready at its first call, which starts the pulls', async () => {
    const tenant = await service.tenant()
    const item = await insertTestItem(service, tenant)
    await insertKnown(service, tenant, item, [{}])
    const { access_token } = item
    expect(await errorOf(tenant, path, { access_token, ...everything })).toEqual(notReady)
    await settle(tenant)
    expect(codesOf(await takeWebhooks(service, tenant, item))).toEqual([
      'INITIAL_UPDATE',
      'HISTORICAL_UPDATE',
    ])
    expect((await get(tenant, item)).total_transactions).toBe(1)
    expect(await readItem(service, tenant, item)).toMatchObject({
      products: '["transactions"]',
      available_products: '[]',
      uses_sync: 0,
    })
  })

  test.each([
    [{ days_requested: 5 }, 30],
    [{ days_requested: 200 }, 200],
    [{}, 90],
  ])('pulls for %j the latest %i days', async (options, days) => {
    const tenant = await service.tenant()
    const item = await insertTestItem(service, tenant)
    const known = [{ date: daysAgo(days - 1) }, { date: daysAgo(days) }]
    const [seen = ''] = await insertKnown(service, tenant, item, known)
    const { access_token } = item
    await tenant.post(path, { access_token, ...everything, options })
    await settle(tenant)
    expect(idsOf((await get(tenant, item)).transactions)).toEqual([seen])
  })

  test('serves the latest 30 days until the history is there', async () => {
    const tenant = await service.tenant()
    const known = [{ date: daysAgo(40) }, { date: daysAgo(29) }, { date: daysAgo(1) }]
    const item = await ready(tenant, known)
    const { access_token, ids } = item
    const set = (transactions_update_status: 'NOT_READY' | 'INITIAL_UPDATE_COMPLETE') =>
      tenant.control('sandboxTransactionsSetStatus', { access_token, transactions_update_status })
    await set('NOT_READY')
    expect(await errorOf(tenant, path, { access_token, ...everything })).toEqual(notReady)
    await set('INITIAL_UPDATE_COMPLETE')
    expect(idsOf((await get(tenant, item)).transactions)).toEqual([ids[2], ids[1]])
  })

  test('gives the latest first, those of one day the other way round from writing', async () => {
    const tenant = await service.tenant()
    const dates = [daysAgo(2), today, daysAgo(1), today]
    const item = await ready(
      tenant,
      dates.map((date) => ({ date })),
    )
    const { ids } = item
    const { transactions } = await get(tenant, item)
    expect(idsOf(transactions)).toEqual([ids[3], ids[1], ids[2], ids[0]])
  })

  test('pages by offset, with the total on each page', async () => {
    const tenant = await service.tenant()
    const item = await ready(
      tenant,
      [0, 1, 2, 3, 4].map((days) => ({ date: daysAgo(days) })),
    )
    const page = async (offset: number) => {
      const { transactions, total_transactions } = await get(tenant, item, {
        options: { count: 2, offset },
      })
      return [idsOf(transactions), total_transactions]
    }
    const { ids } = item
    expect(await page(0)).toEqual([[ids[0], ids[1]], 5])
    expect(await page(4)).toEqual([[ids[4]], 5])
    expect(await page(5)).toEqual([[], 5])
  })

  test('reads the days that are asked for, both ends included', async () => {
    const tenant = await service.tenant()
    const item = await ready(
      tenant,
      [1, 2, 3, 4].map((days) => ({ date: daysAgo(days) })),
    )
    const days = { start_date: daysAgo(3), end_date: daysAgo(2) }
    const { transactions, total_transactions } = await get(tenant, item, days)
    expect([idsOf(transactions), total_transactions]).toEqual([item.ids.slice(1, 3), 2])
    const backwards = { start_date: daysAgo(2), end_date: daysAgo(3) }
    const { access_token } = item
    expect(await errorOf(tenant, path, { access_token, ...backwards })).toEqual(
      rejectedWith('INVALID_REQUEST', 'INVALID_FIELD'),
    )
  })

  test('reads the accounts that are asked for, and lists those without transactions too', async () => {
    const tenant = await service.tenant()
    const item = await insertTestItem(service, tenant)
    const card = String(item.accounts['credit card'])
    await insertKnown(service, tenant, item, [{}, { account_id: card }])
    await sync(tenant, item)
    await settle(tenant)
    const subtypes = (accounts: readonly { subtype: string | null }[]) =>
      accounts.map(({ subtype }) => subtype)
    const all = await get(tenant, item, { options: { account_ids: [] } })
    expect(subtypes(all.accounts)).toEqual(['checking', 'credit card', 'student'])
    expect(all.total_transactions).toBe(2)
    const one = await get(tenant, item, { options: { account_ids: [card, card] } })
    expect(subtypes(one.accounts)).toEqual(['credit card'])
    expect(one.transactions.map((transaction) => transaction.account_id)).toEqual([card])
    const none = [String(item.accounts['brokerage'])]
    const investment = await get(tenant, item, { options: { account_ids: none } })
    expect([investment.accounts, investment.total_transactions]).toEqual([[], 0])
    const { access_token } = item
    const options = { account_ids: [card, 'zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz'] }
    expect(await errorOf(tenant, path, { access_token, ...everything, options })).toEqual(
      rejectedWith('INVALID_INPUT', 'INVALID_ACCOUNT_ID'),
    )
  })

  test('shows the same transactions as sync, in the form that is asked for', async () => {
    const tenant = await service.tenant()
    const item = await ready(tenant, [{ description: 'LARKSPUR HOMES RENT' }, { amount: -3 }])
    const options = {
      include_original_description: true,
      personal_finance_category_version: 'v1',
    } as const
    const { added } = await sync(tenant, item, { options })
    const { transactions, item: shown } = await get(tenant, item, { options })
    expect([...transactions].reverse()).toEqual(added)
    expect(transactions[1]?.original_description).toBe('LARKSPUR HOMES RENT')
    expect(shown).toMatchObject({ item_id: item.item_id, error: null })
  })

  test('does not show what was removed', async () => {
    const tenant = await service.tenant()
    const item = await ready(tenant, [{}, {}])
    const { access_token, ids } = item
    const [first = ''] = ids
    await tenant.control('sandboxTransactionsRemove', { access_token, transaction_ids: [first] })
    expect(idsOf((await get(tenant, item)).transactions)).toEqual([ids[1]])
  })
})
