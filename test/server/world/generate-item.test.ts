import { describe, expect, test } from 'vitest'
import { generateItem } from '../../../src/server/simulation/generate-item.ts'
import type { LiabilitySpec, TransactionSpec } from '../../../src/server/simulation/item-spec.ts'
import { toTransactionDocument } from '../../../src/server/simulation/transaction-document.ts'
import {
  accountOf,
  allOf,
  anchor,
  cents,
  countries,
  dayAfter,
  exampleOf,
  isWeekend,
  objectionsTo,
  publicUrl,
  sumOf,
} from './items.ts'

const schemas = {
  credit: 'CreditLiability',
  mortgage: 'MortgageLiability',
  student: 'StudentLiability',
}

const withoutKind = ({ kind: _, ...fields }: LiabilitySpec) => fields

const documentOf = (spec: TransactionSpec) =>
  toTransactionDocument(spec, {
    account_id: 'a',
    transaction_id: spec.transaction_id ?? '',
    publicUrl,
  })

describe.each(countries)('a generated Item in %s', (country) => {
  const start = performance.now()
  const item = generateItem('test', { anchor, country })
  console.log(`${country}: ${Math.round(performance.now() - start)} ms`)
  const all = allOf(item)
  const posted = all.filter(({ pending }) => !pending)

  test('has the six accounts, each valid', () => {
    expect(item.accounts.map(({ type }) => type)).toEqual([
      'depository',
      'depository',
      'credit',
      'loan',
      'loan',
      'investment',
    ])
    const wire = item.accounts.map(
      ({ owners: _, liability: __, transactions: ___, ...account }) => account,
    )
    expect(wire.map((account) => objectionsTo('Account', account))).toEqual(wire.map(() => []))
  })

  test('has complete owners', () => {
    const owners = item.accounts.flatMap((account) => account.owners)
    expect(owners.map((owner) => objectionsTo('Owner', owner))).toEqual(owners.map(() => []))
    const { names, emails, phone_numbers, addresses } = owners[0]!
    expect(Math.min(names.length, emails.length, phone_numbers.length)).toBeGreaterThan(0)
    expect(Object.values(addresses[0]!.data)).not.toContain(null)
  })

  test('has a valid liability of each kind', () => {
    const found = item.accounts.flatMap(({ liability }) => liability ?? [])
    expect(found.map(({ kind }) => kind).sort()).toEqual(['credit', 'mortgage', 'student'])
    const objections = found.map((liability) =>
      objectionsTo(schemas[liability.kind], { account_id: 'a', ...withoutKind(liability) }),
    )
    expect(objections).toEqual([[], [], []])
  })

  test('has valid transactions with every key that is always sent', () => {
    const documents = all.map(documentOf)
    const invalid = documents.filter(
      ({ transaction }) => JSON.stringify(objectionsTo('Transaction', transaction)) !== '[]',
    )
    expect(invalid).toEqual([])
    const invalidV1 = documents.filter(
      ({ categoryV1 }) =>
        JSON.stringify(objectionsTo('PersonalFinanceCategory', categoryV1)) !== '[]',
    )
    expect(invalidV1).toEqual([])
  })

  test('has the keys that the contract shows in its example', () => {
    const { original_description: _, ...example } = exampleOf('Transaction')
    const keys = new Set(all.map((spec) => Object.keys(documentOf(spec).transaction).sort().join()))
    expect([...keys]).toEqual([Object.keys(example).sort().join()])
  })

  test('has between one and two and a half transactions a day for two years', () => {
    expect(all.length).toBeGreaterThan(1000)
    expect(all.length / 730).toBeLessThan(2.5)
    const dates = posted.map(({ date }) => date).sort()
    expect(dates[0]! >= dayAfter(anchor, -729)).toBe(true)
    expect(dates.at(-1)! <= anchor).toBe(true)
  })

  test('gives every transaction an id of its own', () => {
    const ids = all.map(({ transaction_id }) => transaction_id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.filter((id) => !/^[A-Za-z0-9]{37}$/.test(id ?? ''))).toEqual([])
  })

  test('has amounts of whole minor units', () => {
    const amounts = all.map(({ amount }) => amount)
    expect(amounts.filter((amount) => amount !== cents(amount) / 100)).toEqual([])
    expect(amounts).not.toContain(0)
  })

  test('shows own transfers on both accounts', () => {
    const legs = (subtype: string, category: RegExp) =>
      accountOf(item, subtype)
        .transactions.filter((transaction) => category.test(transaction.category))
        .map(({ date, amount }) => `${date} ${Math.abs(amount)}`)
    const moved = /^TRANSFER_(OUT_SAVINGS|IN_SAVINGS|IN_ACCOUNT_TRANSFER|OUT_ACCOUNT_TRANSFER)$/
    expect(legs('savings', moved).length).toBeGreaterThan(24)
    expect(legs('checking', moved)).toEqual(legs('savings', moved))
    const cardPaid = /CREDIT_CARD_PAYMENT/
    expect(legs('credit card', cardPaid).length).toBeGreaterThanOrEqual(23)
    expect(legs('checking', cardPaid)).toEqual(legs('credit card', cardPaid))
    const loanPaid = /STUDENT_LOAN_PAYMENT/
    expect(legs('checking', loanPaid)).toEqual(legs('student', loanPaid))
  })

  test('has nothing pending but the card payments of the last days', () => {
    const pending = all.filter((transaction) => transaction.pending)
    expect(pending.length).toBeGreaterThan(0)
    expect(pending.filter(({ date }) => date < dayAfter(anchor, -3))).toEqual([])
    const others = item.accounts.filter(({ subtype }) => !/^(checking|credit card)$/.test(subtype!))
    const elsewhere = others.flatMap(({ transactions }) => transactions)
    expect(elsewhere.filter((transaction) => transaction.pending)).toEqual([])
  })

  test('posts nothing at weekends but what the bank itself books', () => {
    const odd = posted.filter(({ date }) => isWeekend(date))
    const categories = new Set(odd.map(({ category }) => category))
    const own = ['INCOME_INTEREST_EARNED', 'BANK_FEES_INTEREST_CHARGE', 'BANK_FEES_OTHER_BANK_FEES']
    expect([...categories].filter((category) => !own.includes(category))).toEqual([])
  })

  test('is paid every two weeks', () => {
    const pay = posted.filter(({ category }) => category === 'INCOME_SALARY')
    expect(pay.length).toBeGreaterThanOrEqual(51)
    expect(pay.length).toBeLessThanOrEqual(53)
  })

  test('has balances that include what is pending', () => {
    const checking = accountOf(item, 'checking')
    const pending = checking.transactions.filter((transaction) => transaction.pending)
    const { available, current } = checking.balances
    expect(cents(available)).toBe(cents(current) - sumOf(pending))
    const card = accountOf(item, 'credit card')
    const owed = sumOf(card.transactions.filter((transaction) => transaction.pending))
    const { limit } = card.balances
    expect(cents(card.balances.available)).toBe(cents(limit) - cents(card.balances.current) - owed)
  })

  test('keeps to the classification of its country', () => {
    const codes = new Set(all.map(({ transaction_code }) => transaction_code))
    const british = ['purchase', 'direct debit', 'transfer', 'interest', 'atm']
    const expected = country === 'GB' ? expect.arrayContaining(british) : [null]
    expect([...codes]).toEqual(expected)
    const currency = { US: 'USD', GB: 'GBP', CA: 'CAD' }[country]
    expect(new Set(all.map(({ iso_currency_code }) => iso_currency_code))).toEqual(
      new Set([currency]),
    )
  })
})

describe('generateItem', () => {
  const first = generateItem('seed', { anchor, country: 'US', days: 60 })

  test('gives the same for the same arguments', () => {
    // The stories between push the first one out of what is remembered.
    for (let index = 0; index < 45; index += 1) {
      generateItem(`other ${index}`, { anchor, country: 'US', days: 3 })
    }
    expect(generateItem('seed', { anchor, country: 'US', days: 60 })).toEqual(first)
  })

  test('gives another life for another seed', () => {
    const other = generateItem('seed 2', { anchor, country: 'US', days: 60 })
    const ids = new Set(allOf(first).map(({ transaction_id }) => transaction_id))
    expect(allOf(other).filter(({ transaction_id }) => ids.has(transaction_id!))).toEqual([])
    expect(accountOf(other, 'mortgage').balances).not.toEqual(accountOf(first, 'mortgage').balances)
  })

  test('takes the name of the holder', () => {
    const named = generateItem('seed', { anchor, country: 'US', days: 60, name: 'Maren Talvik' })
    expect(named.accounts[0]!.owners[0]!.names).toEqual(['Maren Talvik'])
    expect(named.accounts[0]!.owners[0]!.emails[0]!.data).toBe('maren.talvik@example.com')
    expect(allOf(named)).toEqual(allOf(first))
  })

  test('knows what was pending since the Item was linked', () => {
    const before = allOf(first).filter(({ pending_transaction_id }) => pending_transaction_id)
    expect(before).toEqual([])
    const linked = generateItem('seed', { anchor, country: 'US', days: 60, linkedOn: '2026-03-01' })
    const known = allOf(linked).filter(({ pending_transaction_id }) => pending_transaction_id)
    expect(known.length).toBeGreaterThan(0)
    expect(known.filter(({ authorized_date }) => authorized_date! < '2026-03-01')).toEqual([])
  })
})
