import { describe, expect, test } from 'vitest'
import { toDate, toDay } from '../../../src/server/simulation/calendar.ts'
import {
  type CategoryKey,
  categoryKeys,
  categoryOf,
} from '../../../src/server/simulation/categories.ts'
import { generateItem } from '../../../src/server/simulation/generate-item.ts'
import { type LoanTerms, monthlyPayment, scheduleOf } from '../../../src/server/simulation/loans.ts'
import { createRandom, idFrom } from '../../../src/server/simulation/random.ts'
import { toTransactionDocument } from '../../../src/server/simulation/transaction-document.ts'
import { accountOf, anchor, objectionsTo, publicUrl } from './items.ts'

describe('a seeded stream', () => {
  const draw = (seed: string) => Array.from({ length: 50 }, createRandom(seed).next)

  test('is decided by its seed', () => {
    expect(draw('a')).toEqual(draw('a'))
    expect(draw('a')).not.toEqual(draw('b'))
  })

  test('forks into streams that do not depend on what was drawn', () => {
    const random = createRandom('a')
    const early = random.fork('x').next()
    random.next()
    expect(random.fork('x').next()).toBe(early)
  })

  test('reaches both ends, each about as often', () => {
    const random = createRandom('die')
    const counts = new Map<number, number>()
    for (let index = 0; index < 6000; index += 1) {
      const value = random.integer(1, 6)
      counts.set(value, (counts.get(value) ?? 0) + 1)
    }
    expect([...counts.keys()].sort()).toEqual([1, 2, 3, 4, 5, 6])
    for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(150)
  })

  test('picks by weight', () => {
    const random = createRandom('weights')
    const picks = Array.from({ length: 1000 }, () => random.weighted([0, 1, 9], (weight) => weight))
    expect(picks).not.toContain(0)
    expect(picks.filter((pick) => pick === 9).length).toBeGreaterThan(850)
  })
})

test('identifiers have the form of their kind', () => {
  expect(idFrom('seed', 'x', 'opaque')).toMatch(/^[A-Za-z0-9]{37}$/)
  expect(idFrom('seed', 'x', 'hex')).toMatch(/^[0-9a-f]{24}$/)
  expect(idFrom('seed', 'x', 'uuid')).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  )
  expect(idFrom('seed', 'x', 'opaque')).toBe(idFrom('seed', 'x', 'opaque'))
  expect(idFrom('seed', 'y', 'opaque')).not.toBe(idFrom('seed', 'x', 'opaque'))
})

test('dates come back as they went in', () => {
  const dates = ['1969-12-31', '2024-02-29', anchor]
  expect(dates.map((date) => toDate(toDay(date)))).toEqual(dates)
})

test.each(categoryKeys)('%s is a category in both editions', (key) => {
  const { v1, v2 } = categoryOf(key as CategoryKey)
  expect(v2.detailed.startsWith(`${v2.primary}_`)).toBe(true)
  expect(v1.detailed.startsWith(`${v1.primary}_`)).toBe(true)
  const named = { confidence_level: 'HIGH', ...v1, version: 'v1' }
  expect(objectionsTo('PersonalFinanceCategory', named)).toEqual([])
  expect(objectionsTo('PersonalFinanceCategory', { ...v2, version: 'v2' })).toEqual([])
})

test('a loan is paid off by equal payments', () => {
  const terms: LoanTerms = {
    principal: 2_500_000,
    rate: 5.25,
    originated: 0,
    firstPayment: 24_000,
    payments: 240,
    dayOfMonth: 28,
    escrow: 0,
  }
  const schedule = scheduleOf(terms)
  const paid = schedule.map(({ interest, principal }) => interest + principal)
  expect(Math.abs(schedule.length - 240)).toBeLessThanOrEqual(1)
  expect(new Set(paid.slice(0, -1))).toEqual(new Set([monthlyPayment(terms)]))
  expect(schedule.at(-1)?.left).toBe(0)
})

test('a document names its pictures by the address of the service', () => {
  const { transactions } = accountOf(generateItem('a', { anchor, country: 'US' }), 'checking')
  const spec = transactions.find(({ name }) => name === 'Oakmarket')!
  const place = { account_id: 'a', transaction_id: 't', publicUrl }
  const { transaction, categoryV1, original_description } = toTransactionDocument(spec, place)
  expect(transaction).toMatchObject({
    merchant_entity_id: '9cb5yqQ65Cz5cnpRyBfHAyUBUWj8MyKs9LUfp',
    website: 'https://oakmarket.example',
    logo_url: `${publicUrl}/logos/oakmarket.png`,
    personal_finance_category_icon_url: `${publicUrl}/icons/FOOD_AND_DRINK.png`,
    category: null,
    category_id: null,
  })
  expect(transaction).not.toHaveProperty('original_description')
  expect(transaction).not.toHaveProperty('transaction_type')
  expect(categoryV1).toMatchObject({ detailed: 'FOOD_AND_DRINK_GROCERIES', version: 'v1' })
  expect(original_description).toMatch(/^OAKMARKET #/)
})
