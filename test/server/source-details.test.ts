import { describe, expect, test } from 'vitest'
import { toTransactionSpec } from '../../src/server/sources/to-transaction-spec.ts'

// What the service makes of a row that a source tells.

const row = {
  status: 'posted',
  amount: '-12.50',
  currency: 'EUR',
  date: '2026-01-05',
  description: 'Mill',
} as const

test('a row becomes a transaction with what it tells', () => {
  expect(toTransactionSpec(row)).toMatchObject({
    amount: 12.5,
    date: '2026-01-05',
    authorized_date: null,
    iso_currency_code: 'EUR',
    unofficial_currency_code: null,
    pending: false,
    check_number: null,
    payment_meta: { reference_number: null },
  })
  const references = { transaction_date: '2026-01-04', check_number: '7', reference: 'r' }
  expect(toTransactionSpec({ ...row, status: 'pending', references })).toMatchObject({
    authorized_date: '2026-01-04',
    pending: true,
    check_number: '7',
    payment_meta: { reference_number: 'r' },
  })
  const both = { reference: 'r', end_to_end_id: 'e' }
  expect(toTransactionSpec({ ...row, references: both }).payment_meta.reference_number).toBe('e')
})

describe('the details that a source with this API tells', () => {
  const told = {
    primary: 'TRAVEL',
    detailed: 'TRAVEL_FLIGHTS',
    confidence_level: 'HIGH',
  } as const
  const details = {
    original_description: 'MILL 7',
    location: { city: 'Harrow' },
    personal_finance_category: told,
  } as never

  test('are shown as they are, with the category if it is known', () => {
    const spec = toTransactionSpec({ ...row, details })
    expect(spec).toMatchObject({ original_description: 'MILL 7', category: 'TRAVEL_FLIGHTS' })
    expect(spec.details).toEqual({
      location: { city: 'Harrow' },
      personal_finance_category: told,
    })
  })

  test('leave a category that only a newer version knows as it is told', () => {
    const newer = { ...told, detailed: 'TRAVEL_BALLOONS' }
    const own = toTransactionSpec(row)
    const spec = toTransactionSpec({
      ...row,
      details: { personal_finance_category: newer } as never,
    })
    expect(spec.category).toBe(own.category)
    expect(spec.original_description).toBe(own.original_description)
    expect(spec.details).toEqual({ personal_finance_category: newer })
  })

  test("give way to the operator's category, and are none where nothing is told", () => {
    const spec = toTransactionSpec({ ...row, details, category: 'RENT_AND_UTILITIES_RENT' })
    expect(spec.category).toBe('RENT_AND_UTILITIES_RENT')
    expect(spec.details).toEqual({ location: { city: 'Harrow' } })
    expect(toTransactionSpec(row).details).toBeUndefined()
  })
})
