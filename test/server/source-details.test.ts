import { describe, expect, test } from 'vitest'
import { toTransactionSpec } from '../../src/server/sources/to-transaction-spec.ts'

describe('the details that a source with this API tells', () => {
  const row = {
    status: 'posted',
    amount: '-12.50',
    currency: 'EUR',
    date: '2026-01-05',
    description: 'Mill',
  } as const
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
    expect(toTransactionSpec(row).details).toBe(toTransactionSpec({ ...row }).details)
  })
})
