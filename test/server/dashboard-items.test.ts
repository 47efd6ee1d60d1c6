import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type DashboardBrowser, signIn } from '../support/dashboard-browser.ts'
import { link } from '../support/items-fixtures.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'

let service: TestService
let tenant: Tenant
let other: Tenant
let browser: DashboardBrowser
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())
beforeEach(async () => {
  ;[tenant, other] = [await service.tenant(), await service.tenant()]
  browser = await signIn(service, { client_id: tenant.clientId, role: 'admin' })
})

/** An Item whose whole history is there. */
async function linked(owner: Tenant) {
  const item = await link(owner, { initial_products: ['transactions'] })
  const { access_token } = item
  const statusOf = async () =>
    (await owner.api.transactionsSync({ access_token }).orThrow()).transactions_update_status
  await expect.poll(statusOf, { timeout: 10_000 }).toBe('HISTORICAL_UPDATE_COMPLETE')
  return item
}

const accountsOf = async (access_token: string) =>
  (await tenant.api.accountsGet({ access_token }).orThrow()).accounts

describe('dashboardItemTransactionList', () => {
  test('lists its transactions page by page, the newest first', async () => {
    const { item_id, access_token } = await linked(tenant)
    await tenant.api.transactionsSync({ access_token }).orThrow()
    const one = await browser.ask('dashboardItemTransactionList', { item_id, count: 5 })
    const two = await browser.ask('dashboardItemTransactionList', {
      item_id,
      count: 5,
      cursor: one.next_cursor,
    })
    const all = [...one.transactions, ...two.transactions]
    const { added } = await tenant.api.transactionsSync({ access_token, count: 500 }).orThrow()
    const newest = added
      .map(({ date }) => date)
      .sort()
      .toReversed()
    expect(all.map(({ date }) => date)).toEqual(newest.slice(0, 10))
    expect(new Set(all.map(({ transaction_id }) => transaction_id)).size).toBe(10)
    const [account] = await accountsOf(access_token)
    const { transactions } = await browser.ask('dashboardItemTransactionList', {
      item_id,
      account_id: account?.account_id ?? '',
    })
    expect(new Set(transactions.map(({ account_id }) => account_id))).toEqual(
      new Set([account?.account_id]),
    )
  })
})

describe('dashboardItemBalanceList', () => {
  test('computes a balance by day from the current one', async () => {
    const { item_id, access_token } = await linked(tenant)
    const { added } = await tenant.api.transactionsSync({ access_token, count: 500 }).orThrow()
    const [account] = await accountsOf(access_token)
    const account_id = account?.account_id ?? ''
    const { days } = await browser.ask('dashboardItemBalanceList', { item_id, account_id })
    expect(days.length).toBeGreaterThan(20)
    expect(days[0]?.balance).toBe(account?.balances.current)
    const own = added.filter((one) => one.account_id === account_id && !one.pending)
    const [day, before] = [days[10], days[11]]
    const spent = own.filter(({ date }) => date === day?.date).map(({ amount }) => amount)
    const change = spent.reduce((sum, amount) => sum + amount, 0)
    expect(before?.balance).toBeCloseTo((day?.balance ?? 0) + change, 2)
  })
})

describe('dashboardItemHealthSet', () => {
  test('is broken and repaired in the sandbox, and the audit log says so', async () => {
    const { item_id, access_token } = await linked(tenant)
    await browser.ask('dashboardItemHealthSet', { item_id, error_code: 'ITEM_LOCKED' })
    const errorOf = async () =>
      (await tenant.api.itemGet({ access_token }).orThrow()).item.error?.error_code
    expect(await errorOf()).toBe('ITEM_LOCKED')
    await browser.ask('dashboardItemHealthSet', { item_id, error_code: null })
    expect(await errorOf()).toBeUndefined()
    const { entries } = await browser.ask('dashboardAuditList', { action: 'item.health' })
    expect(entries.map(({ details }) => JSON.parse(details))).toMatchObject([
      { before: 'ITEM_LOCKED', after: null },
      { before: null, after: 'ITEM_LOCKED' },
    ])
  })
})

test('the data of an Item is hidden from other clients', async () => {
  const { item_id, access_token } = await linked(other)
  const { accounts } = await other.api.accountsGet({ access_token }).orThrow()
  const account_id = accounts[0]?.account_id ?? ''
  const own = await linked(tenant)
  const asked = [
    browser.send('dashboardItemTransactionList', { item_id }),
    browser.send('dashboardItemBalanceList', { item_id, account_id }),
    browser.send('dashboardItemBalanceList', { item_id: own.item_id, account_id }),
    browser.send('dashboardItemHealthSet', { item_id, error_code: 'ITEM_LOCKED' }),
  ]
  for (const { status } of await Promise.all(asked)) expect(status).toBe(404)
})
