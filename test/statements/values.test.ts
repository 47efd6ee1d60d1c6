import { describe, expect, test } from 'vitest'
import { plainText, toAmount, toDate } from '../../src/statements/values.ts'

describe('what nobody means', () => {
  test.each(['1000000000000', '-90071992547409931.00'])('an amount of %s is rejected', (text) => {
    expect(() => toAmount(text)).toThrow('must have at most 12 digits before the decimals')
  })

  test('zeros before an amount are not counted', () => {
    expect(toAmount('0000000000000012.50')).toBe('12.50')
  })

  test.each(['0001', '1899', '2101', '9999'])('a day of the year %s is rejected', (year) => {
    expect(() => toDate(year, '01', '31')).toThrow('must be from 1900 to 2100')
  })

  test('characters that nobody sees become spaces', () => {
    expect(plainText('a\0b', '\u001b[1mred', 'left\u202Eright')).toBe('a b [1mred left right')
    expect(plainText('zero\u200Bwidth', '\u061C\u2060end')).toBe('zero width end')
  })

  test('joiners stay, which emoji and some scripts need', () => {
    expect(plainText('👩\u200D👩', 'می\u200Cخواهم')).toBe('👩\u200D👩 می\u200Cخواهم')
  })
})
