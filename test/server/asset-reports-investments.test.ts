import { describe, expect, test } from 'vitest'
import type { AssetReportInvestments } from '#contract/types.ts'
import { toInvestments } from '../../src/server/asset-reports/investments.ts'
import type { AccountRow } from '../../src/server/items/account-store.ts'
import { toMinor } from '../../src/server/kernel/money.ts'
import { addDays } from '../../src/server/kernel/time.ts'

// The holdings that a report derives from the balance of an investment account.

const today = '2026-03-16'
const account = {
  account_id: 'brokerage-1',
  current: 10_001_01,
  available: 1_01,
  iso_currency_code: 'USD',
  unofficial_currency_code: null,
} as AccountRow
const invested = account.current - (account.available ?? 0)

/** Of every account these three are there, if only as empty lists. */
const investmentsOf = (row: AccountRow) =>
  toInvestments(row, today) as Required<AssetReportInvestments>

const { holdings, securities, transactions } = investmentsOf(account)

describe('the holdings of an account', () => {
  test('are worth what is not cash', () => {
    const values = holdings.map(({ institution_value }) => toMinor(institution_value))
    expect(values).toEqual([invested * 0.5, invested * 0.3, invested * 0.2])
  })

  test('are as many as their value buys at their price, to four places', () => {
    for (const { quantity, institution_price, institution_value } of holdings) {
      expect(quantity).toBe(Number((institution_value / institution_price).toFixed(4)))
      expect(institution_price).toBeGreaterThanOrEqual(18)
      expect(institution_price).toBeLessThanOrEqual(240)
    }
  })

  test('cost between 88 and 104 % of what they are worth', () => {
    for (const { cost_basis, institution_value } of holdings) {
      const share = Number(cost_basis) / institution_value
      expect(share).toBeGreaterThan(0.879)
      expect(share).toBeLessThanOrEqual(1.04)
    }
  })

  test('name the account, the security, the currency and the day of the price', () => {
    const currency = { iso_currency_code: 'USD', unofficial_currency_code: null }
    expect(holdings).toMatchObject(
      securities.map(({ security_id, ticker_symbol }) => ({
        account_id: account.account_id,
        security_id,
        ticker_symbol,
        institution_price_as_of: today,
        ...currency,
      })),
    )
    expect(securities).toMatchObject([
      { name: 'Lighthouse Total Market Fund', type: 'mutual fund' },
      { name: 'Tidal Bond Index', type: 'etf' },
      { name: 'Fernhill International', type: 'mutual fund' },
    ])
  })

  test('were bought some weeks ago, for their cost', () => {
    const bought = transactions.map(({ date }) => date)
    for (const date of bought) {
      expect(date >= addDays(today, -50) && date <= addDays(today, -20)).toBe(true)
    }
    expect(transactions).toMatchObject(
      holdings.map(({ security_id, quantity, institution_value, cost_basis, ticker_symbol }) => ({
        account_id: account.account_id,
        security_id,
        quantity,
        vested_quantity: quantity,
        vested_value: institution_value,
        amount: cost_basis,
        price: Math.round((Number(cost_basis) / quantity) * 100) / 100,
        name: `BUY ${securities.find((one) => one.ticker_symbol === ticker_symbol)?.name}`,
        fees: 0,
        type: 'buy',
        subtype: 'buy',
      })),
    )
  })

  test('have ids of their own, the same in every report, and other numbers in other accounts', () => {
    const ids = [
      ...securities.map(({ security_id }) => security_id),
      ...transactions.map((one) => one.investment_transaction_id),
    ]
    expect(new Set(ids).size).toBe(6)
    expect(investmentsOf(account)).toEqual({ holdings, securities, transactions })
    const other = investmentsOf({ ...account, account_id: 'brokerage-2' })
    expect(other.securities).toEqual(securities)
    const prices = (of: typeof holdings) => of.map((holding) => holding.institution_price)
    expect(prices(other.holdings)).not.toEqual(prices(holdings))
    expect(new Set(prices(holdings)).size).toBe(3)
    const bought = other.transactions.map((one) => one.investment_transaction_id)
    expect(ids).not.toEqual(expect.arrayContaining(bought))
  })
})

test.each([
  [99_99, 0, 0],
  [100_00, 0, 3],
  [100_00, 1, 0],
  [100_00, null, 3],
])('an account with %i, of which %s is cash, has %i holdings', (current, available, count) => {
  const few = investmentsOf({ ...account, current, available })
  expect(few.holdings).toHaveLength(count)
  expect(few.securities).toHaveLength(count)
  expect(few.transactions).toHaveLength(count)
})
