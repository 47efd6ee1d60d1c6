import { replaceControls } from '../control-characters.ts'
import { date as isDate } from '../validators/formats.ts'
import type { Emit, StatementIssue } from './statement.ts'

/** A value of a file that could not be read, with the code of its issue. */
export class InvalidValue extends Error {
  override readonly name = 'InvalidValue'

  readonly code: StatementIssue['code']

  constructor(code: StatementIssue['code'], message: string) {
    super(message)
    this.code = code
  }
}

/** Runs `read`. A value that cannot be read becomes an issue at the line, after the prefix. */
export function readOrTell(emit: Emit, line: number, read: () => void, prefix = ''): void {
  try {
    read()
  } catch (error) {
    if (!(error instanceof InvalidValue)) throw error
    emit({ kind: 'issue', issue: { line, code: error.code, message: prefix + error.message } })
  }
}

const mostDigits = 12

/**
 * An amount with a decimal point or comma as a decimal with two places: `-1.234` is refused, since
 * its third digit would be lost. Thousands are not separated: where they may be, the caller takes
 * the separators out first.
 */
export function toAmount(text: string, name = 'the amount'): string {
  const found = /^([+-]?)(\d*)(?:[.,](\d*))?$/.exec(text.trim())
  const [, sign = '', whole = '', decimals = ''] = found ?? []
  if (!found || whole + decimals === '') {
    throw new InvalidValue('INVALID_AMOUNT', `${name} must be a number such as -12.50`)
  }
  const places = decimals.replace(/0+$/, '')
  if (places.length > 2) {
    throw new InvalidValue(
      'UNSUPPORTED_PRECISION',
      `${name} has ${places.length} decimals, and at most 2 can be kept`,
    )
  }
  if (whole.replace(/^0+/, '').length > mostDigits) {
    throw new InvalidValue(
      'INVALID_AMOUNT',
      `${name} must have at most ${mostDigits} digits before the decimals`,
    )
  }
  const digits = `${whole.replace(/^0+(?=\d)/, '') || '0'}.${places.padEnd(2, '0')}`
  return sign === '-' && digits !== '0.00' ? `-${digits}` : digits
}

/** The same amount in the other direction. */
export function negate(amount: string): string {
  if (amount === '0.00') return amount
  return amount.startsWith('-') ? amount.slice(1) : `-${amount}`
}

/** The sum of amounts in minor units. */
export const sumOf = (amounts: readonly string[]): bigint =>
  amounts.reduce((sum, amount) => sum + BigInt(amount.replace('.', '')), 0n)

/** An amount in minor units as a decimal with two places. */
export function fromMinor(minor: bigint): string {
  const digits = String(minor < 0n ? -minor : minor).padStart(3, '0')
  return `${minor < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

const [firstYear, lastYear] = ['1900', '2100']

/** A calendar date from its parts as written, each with leading zeros. */
export function toDate(year: string, month: string, day: string, name = 'the date'): string {
  const text = `${year}-${month}-${day}`
  if (!isDate(text)) throw new InvalidValue('INVALID_DATE', `${name} must be a day that exists`)
  if (year < firstYear || year > lastYear) {
    throw new InvalidValue('INVALID_DATE', `${name} must be from ${firstYear} to ${lastYear}`)
  }
  return text
}

/** The date in `YYYYMMDD…` or `YYYY-MM-DD…`: its digits as written, never in another time zone. */
export function leadingDate(text: string, name: string): string {
  const [, year, month = '', day = ''] = /^\s*(\d{4})-?(\d{2})-?(\d{2})/.exec(text) ?? []
  if (year === undefined) {
    throw new InvalidValue('INVALID_DATE', `${name} must start with year, month and day`)
  }
  return toDate(year, month, day, name)
}

/** A day that a booking can do without: some banks write zeros in its place. */
export function dayOrNothing(text: string | undefined, name: string): string | undefined {
  try {
    return text === undefined ? undefined : leadingDate(text, name)
  } catch (error) {
    if (error instanceof InvalidValue) return undefined
    throw error
  }
}

/** Text with single spaces, from parts of which some may be empty or absent. */
export const plainText = (...parts: readonly (string | undefined)[]): string =>
  replaceControls(parts.join(' ')).replace(/\s+/g, ' ').trim()

/** Leaves out the entries without a value; undefined when none has one. */
export function withValues(
  entries: Readonly<Record<string, string | undefined>>,
): Record<string, string> | undefined {
  const present = Object.entries(entries).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '',
  )
  return present.length > 0 ? Object.fromEntries(present) : undefined
}
