import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AssetReportAccount, AssetReportOptions } from '#contract/types.ts'
import { toInvestments } from '../../src/server/asset-reports/investments.ts'
import type { AccountRow } from '../../src/server/items/account-store.ts'
import { startWorld, type Tenant, type TestService } from '../support/service.ts'
import { linkItem } from '../support/tour.ts'

let service: TestService

beforeAll(async () => {
  service = await startWorld()
})
afterAll(() => service.close())

const products = ['assets', 'transactions', 'identity', 'investments']

/** The accounts of a new report of an Item. */
async function accountsIn(
  tenant: Tenant,
  access_token: string,
  options: AssetReportOptions = {},
): Promise<AssetReportAccount[]> {
  const body = { access_tokens: [access_token], days_requested: 60, options }
  const { data } = await tenant.api.assetReportCreate(body)
  await tenant.control('sandboxClockAdvance', { seconds: 60 })
  const asset_report_token = data?.asset_report_token ?? ''
  const { data: read } = await tenant.api.assetReportGet({ asset_report_token })
  return read?.report.items.flatMap(({ accounts }) => accounts) ?? []
}

const cents = (amount: number) => Math.round(amount * 100)

describe('an account in a report', () => {
  test.each([
    ['automatically_verified', 'automatically_verified'],
    ['database_matched', 'database_matched'],
    ['database_insights_pass', undefined],
    ['unsent', undefined],
  ] as const)('with the status %s shows %s', async (verification_status, shown) => {
    const tenant = await service.tenant()
    const access_token = await linkItem(tenant, products)
    const [account] = await accountsIn(tenant, access_token)
    await tenant.control('sandboxItemSetVerificationStatus', {
      access_token,
      account_id: account?.account_id ?? '',
      verification_status,
    })
    const [changed] = await accountsIn(tenant, access_token)
    expect(changed?.verification_status).toBe(shown)
  })

  test('keeps its persistent id, and has none otherwise', async () => {
    const tenant = await service.tenant()
    const access_token = await linkItem(tenant, products)
    const [first, second] = await accountsIn(tenant, access_token)
    const persistent_account_id = '8cfb8beb89b774ee43b090625f0d61d0814322b43bff984eaf60386e'
    const account_id = first?.account_id ?? ''
    await tenant.control('sandboxAccountUpdate', {
      access_token,
      account_id,
      persistent_account_id,
    })
    const [changed] = await accountsIn(tenant, access_token)
    expect(changed?.persistent_account_id).toBe(persistent_account_id)
    expect(Object.keys(second ?? {})).not.toContain('persistent_account_id')
  })

  test('is not there once it is closed', async () => {
    const tenant = await service.tenant()
    const access_token = await linkItem(tenant, products)
    const [first, ...others] = await accountsIn(tenant, access_token)
    const account_id = first?.account_id ?? ''
    await tenant.control('sandboxAccountUpdate', { access_token, account_id, closed: true })
    const ids = (await accountsIn(tenant, access_token)).map((account) => account.account_id)
    expect(ids).toEqual(others.map((account) => account.account_id))
  })

  test('has balances of each day, the newest first, where it is depository or credit', async () => {
    const tenant = await service.tenant()
    const accounts = await accountsIn(tenant, await linkItem(tenant, products))
    const withBalances = accounts.filter((account) => account.historical_balances.length > 0)
    expect(new Set(withBalances.map(({ type }) => type))).toEqual(new Set(['depository', 'credit']))
    const dates = withBalances[0]?.historical_balances.map(({ date }) => date) ?? []
    expect(dates).toEqual([...new Set(dates)].sort().reverse())
    expect(dates).toHaveLength(60)
  })

  test('owes less on the day before a purchase by card', async () => {
    const tenant = await service.tenant()
    const access_token = await linkItem(tenant, products)
    const card = (await accountsIn(tenant, access_token)).find(({ type }) => type === 'credit')
    const [today, yesterday] = card?.historical_balances ?? []
    const spent = (card?.transactions ?? [])
      .filter(({ date, pending }) => date === today?.date && !pending)
      .reduce((sum, { amount }) => sum + cents(amount), 0)
    expect(cents(yesterday?.current ?? 0)).toBe(cents(today?.current ?? 0) - spent)
  })

  test.each([
    ['the add-on', { add_ons: ['investments' as const] }],
    ['the older list of products', { products: ['investments' as const] }],
  ])('shows its investments for %s', async (_case, options) => {
    const tenant = await service.tenant()
    const accounts = await accountsIn(tenant, await linkItem(tenant, products), options)
    const invested = accounts.filter((account) => account.investments !== undefined)
    expect(invested.map(({ type }) => type)).toEqual(['investment'])
  })

  test('holds in three funds what is not cash, and nothing where all of it is', () => {
    const account = { account_id: 'a', available: 0, iso_currency_code: 'USD' }
    const heldBy = (current: number) =>
      toInvestments({ ...account, current } as AccountRow, '2026-03-16')
    const { securities, holdings = [] } = heldBy(1_000_00)
    expect(securities).toHaveLength(3)
    const worth = holdings.map(({ institution_value }) => cents(institution_value))
    expect(worth).toEqual([500_00, 300_00, 200_00])
    expect(heldBy(99_99)).toEqual({ holdings: [], securities: [], transactions: [] })
  })
})
