import { describe, expect, test } from 'vitest'
import { categoryKeys } from '../../src/server/simulation/categories.ts'
import { cleanName } from '../../src/server/sources/clean-name.ts'
import { describe as describeBooking } from '../../src/server/sources/describe.ts'
import { categoryOfCode, merchantRanges } from '../../src/server/sources/merchant-categories.ts'
import { toTransactionSpec } from '../../src/server/sources/to-transaction-spec.ts'
import type { SourceTransaction } from '../../src/statements/statement.ts'

// What is told of a booking beside its amount: the name, the category and the other side.

const booking = (change: Partial<SourceTransaction>): SourceTransaction => ({
  status: 'posted',
  amount: '-5.00',
  currency: 'EUR',
  date: '2026-01-05',
  description: 'A text',
  ...change,
})

describe('merchant category codes', () => {
  test('are in one range each, of a category that is known', () => {
    const sorted = [...merchantRanges].sort(([a], [b]) => a - b)
    for (const [index, [from, to, category]] of sorted.entries()) {
      expect(categoryKeys).toContain(category)
      expect(to).toBeGreaterThanOrEqual(from)
      expect(from).toBeGreaterThan(sorted[index - 1]?.[1] ?? 0)
    }
  })

  test.each([
    ['8062', 'MEDICAL_PRIMARY_CARE'],
    ['4131', 'TRANSPORTATION_PUBLIC_TRANSIT'],
    ['5816', 'ENTERTAINMENT_VIDEO_GAMES'],
    ['5921', 'FOOD_AND_DRINK_BEER_WINE_AND_LIQUOR'],
    ['5941', 'GENERAL_MERCHANDISE_SPORTING_GOODS'],
    ['7995', 'ENTERTAINMENT_OTHER_ENTERTAINMENT'],
    ['7538', 'GENERAL_SERVICES_AUTOMOTIVE'],
    ['9222', 'GOVERNMENT_AND_NON_PROFIT_GOVERNMENT_DEPARTMENTS_AND_AGENCIES'],
    ['0742', 'GENERAL_SERVICES_OTHER_GENERAL_SERVICES'],
    ['5552', 'TRANSPORTATION_GAS'],
    ['3000', 'TRAVEL_FLIGHTS'],
    ['3999', 'TRAVEL_LODGING'],
    ['4829', 'TRANSFER_OUT_ACCOUNT_TRANSFER'],
  ])('%s is %s', (code, category) => expect(categoryOfCode(code, true)).toBe(category))

  test('that are unknown have none, and of moved money the direction counts', () => {
    expect(
      [undefined, '', '9999', '12', '54111', 'food'].map((code) => categoryOfCode(code, true)),
    ).toEqual(Array.from({ length: 6 }, () => undefined))
    expect(categoryOfCode('4829', false)).toBe('TRANSFER_IN_ACCOUNT_TRANSFER')
    expect(categoryOfCode('5411', false)).toBe('FOOD_AND_DRINK_GROCERIES')
  })

  test('are read from texts of formats without a field for them', () => {
    const described = describeBooking(booking({ description: 'Harbor 12 MCC: 5411' }))
    expect(described).toMatchObject({ category: 'FOOD_AND_DRINK_GROCERIES', confidence: 'HIGH' })
    expect(describeBooking(booking({ description: 'MCC 54112' })).confidence).toBe('LOW')
  })
})

test.each([
  ['KARTENZAHLUNG HARBOR MARKT SAGT DANKE', 'HARBOR MARKT SAGT DANKE', true],
  ['CARD PAYMENT TO Harbor Books ON 02 JAN', 'Harbor Books', true],
  ['CARD PAYMENT TO Harbor Books ON 02 JAN 2026', 'Harbor Books', true],
  ['POS PURCHASE 01/05 Harbor Books 8831', 'Harbor Books 8831', true],
  ['CHECKCARD 0105 Harbor Books', 'Harbor Books', true],
  ['PURCHASE AUTHORIZED ON 01/05 Harbor Books CARD 1234', 'Harbor Books', true],
  ['PAIEMENT CB Harbor Books', 'Harbor Books', true],
  ['SQ *Harbor Books', 'Harbor Books', true],
  ['SQC*Harbor Books', 'Harbor Books', true],
  ['PY *Harbor Books', 'Harbor Books', true],
  ['PAYPAL *HARBOR', 'HARBOR', true],
  ['HARBORCAB *TRIP 7FQ2', 'HARBORCAB', false],
  ['Harbor Books #0123', 'Harbor Books', false],
  ['Possession', 'Possession', false],
  ['KARTENZAHLUNG', 'KARTENZAHLUNG', false],
  ['Transfer to Maren', 'Transfer to Maren', false],
])('%s is %s', (text, name, isPayment) => expect(cleanName(text)).toEqual({ name, isPayment }))

test('a long text takes no longer than its length', () => {
  const texts = ['REF 1 '.repeat(20_000), 'Abc *'.repeat(20_000), '1234567 '.repeat(20_000)]
  const begun = performance.now()
  for (const text of texts) expect(cleanName(`A ${text}!`).name.length).toBeGreaterThan(0)
  expect(performance.now() - begun).toBeLessThan(1000)
})

describe('the other side', () => {
  const told = (change: Partial<SourceTransaction>) => {
    const { merchant_name, counterparties, name } = toTransactionSpec(booking(change))
    return { merchant_name, name, others: counterparties.map(({ name: who, type }) => [who, type]) }
  }

  test('is a merchant where a card or a code says so', () => {
    const shop = { merchant_name: 'Harbor Books', others: [['Harbor Books', 'merchant']] }
    expect(told({ description: 'SQ *Harbor Books' })).toMatchObject(shop)
    expect(told({ counterparty: 'Harbor Books', references: { mcc: '5942' } })).toMatchObject(shop)
    expect(told({ description: 'Harbor Books, a text' })).toMatchObject({
      merchant_name: null,
      others: [],
    })
  })

  test('is whom the file names, by what the booking is', () => {
    const counterparty = 'Harbor Works'
    expect(told({ counterparty, amount: '5.00', description: 'Salary' })).toMatchObject({
      merchant_name: null,
      others: [[counterparty, 'income_source']],
    })
    expect(told({ counterparty, description: 'Mortgage' }).others).toEqual([
      [counterparty, 'financial_institution'],
    ])
    // It may be a person.
    expect(told({ counterparty })).toMatchObject({
      merchant_name: null,
      others: [[counterparty, 'merchant']],
    })
    expect(told({ counterparty, description: 'Transfer' }).others).toEqual([])
    expect(told({ counterparty: 'CHECK 12', references: { type: 'CHECK' } }).others).toEqual([])
  })

  test('was paid on the day that the file tells', () => {
    const references = { transaction_date: '2026-01-03' }
    expect(toTransactionSpec(booking({ references })).authorized_date).toBe('2026-01-03')
    expect(toTransactionSpec(booking({ value_date: '2026-01-03' })).authorized_date).toBeNull()
  })
})
