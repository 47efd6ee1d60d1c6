import { describe, expect, test } from 'vitest'
import { accountsOn } from '../../../src/server/simulation/accounts.ts'
import { generateItem } from '../../../src/server/simulation/generate-item.ts'
import { accountOf, anchor, cents, countries, dayAfter, sumOf } from './items.ts'

const seeds = Array.from({ length: 8 }, (_, index) => `seed ${index}`)
const lives = countries.flatMap((country) => seeds.map((seed) => ({ country, seed })))

describe.each(lives)('the balances of $seed in $country', ({ country, seed }) => {
  const item = generateItem(seed, { anchor, country })
  const start = dayAfter(anchor, -730)
  const earlier = { accounts: accountsOn(seed, { date: start, country }).map(withNothing) }
  const movedOn = (subtype: string): number =>
    sumOf(accountOf(item, subtype).transactions.filter(({ pending }) => !pending))
  const grown = (subtype: string): number =>
    cents(accountOf(item, subtype).balances.current) -
    cents(accountOf(earlier, subtype).balances.current)

  test('are what two years of transactions make of the earlier ones', () => {
    expect(grown('checking')).toBe(-movedOn('checking'))
    expect(grown('savings')).toBe(-movedOn('savings'))
    expect(grown('credit card')).toBe(movedOn('credit card'))
    expect(grown('student')).toBe(movedOn('student'))
  })

  test('never fall below nothing on the way', () => {
    const balances = dailyBalances(
      cents(accountOf(earlier, 'checking').balances.current),
      accountOf(item, 'checking').transactions.filter(({ pending }) => !pending),
    )
    expect(Math.min(...balances)).toBeGreaterThan(0)
  })

  test('leave the card room', () => {
    expect(accountOf(item, 'credit card').balances.available).toBeGreaterThan(0)
    expect(accountOf(item, 'credit card').balances.current).toBeGreaterThan(0)
  })
})

function withNothing<Head>(head: Head): Head & { transactions: [] } {
  return { ...head, transactions: [] }
}

function dailyBalances(start: number, transactions: { date: string; amount: number }[]): number[] {
  const ofDay = new Map<string, number>()
  for (const { date, amount } of transactions) {
    ofDay.set(date, (ofDay.get(date) ?? 0) + cents(amount))
  }
  let balance = start
  return [...ofDay].map(([, spent]) => {
    balance -= spent
    return balance
  })
}
