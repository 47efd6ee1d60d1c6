import { describe, expect, test } from 'vitest'
import { evolveDay } from '../../../src/server/simulation/evolve.ts'
import { generateItem } from '../../../src/server/simulation/generate-item.ts'
import type { ItemSpec, TransactionSpec } from '../../../src/server/simulation/item-spec.ts'
import { toTransactionDocument } from '../../../src/server/simulation/transaction-document.ts'
import {
  allOf,
  anchor,
  countries,
  dayAfter,
  daysFrom,
  isWeekend,
  objectionsTo,
  publicUrl,
} from './items.ts'

const seed = 'evolving'
const length = 60

/** The transactions of each account after some days were played. */
function play(item: ItemSpec, days: readonly string[]): Map<string, TransactionSpec>[] {
  const state = item.accounts.map(
    ({ transactions }) => new Map(transactions.map((one) => [one.transaction_id!, one])),
  )
  for (const day of days) {
    const { removed, added } = evolveDay(seed, item.accounts, day)
    for (const { account, transaction_id } of removed) {
      if (!state[account]!.delete(transaction_id)) throw new Error('It was never there.')
    }
    for (const { account, transaction } of added) {
      state[account]!.set(transaction.transaction_id!, transaction)
    }
  }
  return state
}

const byId = (transactions: Iterable<TransactionSpec>): TransactionSpec[] =>
  [...transactions]
    .map((one) => ({ ...one, pending_transaction_id: null }))
    .sort((a, b) => (a.transaction_id! < b.transaction_id! ? -1 : 1))

describe.each(countries)('sixty days after the anchor in %s', (country) => {
  const item = generateItem(seed, { anchor, country, days: 90 })
  const days = daysFrom(anchor, length).map((date) => evolveDay(seed, item.accounts, date))
  const added = days.flatMap((day) => day.added)
  const removed = days.flatMap((day) => day.removed)
  const posted = added.filter(({ transaction }) => !transaction.pending)

  test('give the same as an Item that is generated then', () => {
    const state = play(item, daysFrom(anchor, length))
    const later = generateItem(seed, {
      anchor: dayAfter(anchor, length),
      country,
      days: 90 + length,
    })
    const expected = later.accounts.map(({ transactions }) => byId(transactions))
    expect(state.map((transactions) => byId(transactions.values()))).toEqual(expected)
  })

  test('give the same for the same arguments', () => {
    const date = dayAfter(anchor, 5)
    expect(evolveDay(seed, item.accounts, date)).toEqual(days[4])
  })

  test('have pay days', () => {
    const pay = posted.filter(({ transaction }) => transaction.category === 'INCOME_SALARY')
    expect([4, 5]).toContain(pay.length)
  })

  test('post pending transactions under new ids, some with another amount', () => {
    const replacing = posted.filter(({ transaction }) => transaction.pending_transaction_id)
    const replaced = removed.filter((one) => one.replaced)
    expect(replacing.length).toBeGreaterThan(length)
    expect(replacing.map(({ transaction }) => transaction.pending_transaction_id).sort()).toEqual(
      replaced.map(({ transaction_id }) => transaction_id).sort(),
    )
    const before = new Map(
      [...allOf(item), ...added.map(({ transaction }) => transaction)].map((one) => [
        one.transaction_id,
        one,
      ]),
    )
    const changed = replacing.filter(
      ({ transaction }) =>
        before.get(transaction.pending_transaction_id!)!.amount !== transaction.amount,
    )
    expect(changed.length).toBeGreaterThan(0)
    expect(changed.length).toBeLessThan(replacing.length / 2)
  })

  test('add tips where tips are given', () => {
    const pendingOnes = new Map(
      added.map(({ transaction }) => [transaction.transaction_id, transaction]),
    )
    const rises = posted
      .filter(({ transaction }) => transaction.category === 'FOOD_AND_DRINK_RESTAURANT')
      .map(({ transaction }) => {
        const before = pendingOnes.get(transaction.pending_transaction_id ?? undefined)
        return transaction.amount / (before?.amount ?? transaction.amount)
      })
    const [least, most] = country === 'GB' ? [1, 1] : [1.1, 1.25]
    expect(Math.max(...rises)).toBeGreaterThanOrEqual(least)
    expect(Math.max(...rises)).toBeLessThanOrEqual(most)
  })

  test('drop a pending transaction that never posts', () => {
    expect(removed.filter(({ replaced }) => !replaced).length).toBeGreaterThan(0)
  })

  test('have a purchase every day, and card payments post on weekdays only', () => {
    const quiet = days.filter((day) => day.added.every(({ transaction }) => !transaction.pending))
    expect(quiet).toEqual([])
    const cards = posted.filter(({ transaction }) => transaction.pending_transaction_id)
    expect(cards.filter(({ transaction }) => isWeekend(transaction.date))).toEqual([])
  })

  test('hold valid transactions', () => {
    const objections = added.map(({ transaction: spec }) =>
      objectionsTo(
        'Transaction',
        toTransactionDocument(spec, {
          account_id: 'a',
          transaction_id: spec.transaction_id!,
          publicUrl,
        }).transaction,
      ),
    )
    expect(objections.flat()).toEqual([])
  })
})

describe('evolveDay', () => {
  const { accounts } = generateItem(seed, { anchor, country: 'US', days: 1 })

  test('goes on for many years', () => {
    const { added } = evolveDay(seed, accounts, '2061-07-01')
    expect(added.length).toBeGreaterThan(0)
  })

  test('leaves out what no open account takes part in', () => {
    const closed = accounts.map((one) => ({ ...one, closed: one.subtype === 'credit card' }))
    const touched = daysFrom(anchor, length).flatMap((date) => evolveDay(seed, closed, date).added)
    expect(new Set(touched.map(({ account }) => account))).toEqual(new Set([0, 1, 3]))
  })

  test('finds the accounts by what they are, wherever they stand', () => {
    const turned = [...accounts].reverse()
    const date = dayAfter(anchor, 10)
    const there = evolveDay(seed, turned, date).added
    const here = evolveDay(seed, accounts, date).added
    expect(there.map(({ account }) => accounts.length - 1 - account)).toEqual(
      here.map(({ account }) => account),
    )
  })

  test('keeps the currency of an account', () => {
    const inEuro = accounts.map((one) => ({
      ...one,
      balances: { ...one.balances, iso_currency_code: 'EUR' },
    }))
    const { added } = evolveDay(seed, inEuro, dayAfter(anchor, 1))
    expect(new Set(added.map(({ transaction }) => transaction.iso_currency_code))).toEqual(
      new Set(['EUR']),
    )
  })
})
