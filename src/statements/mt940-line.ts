import type { SourceTransaction } from './statement.ts'
import { InvalidValue, negate, plainText, toAmount, toDate, withValues } from './values.ts'

/** The first line of `:61:`; the letter after the mark is the last one of the currency. */
const form = new RegExp(
  [
    /^(?<year>\d{2})(?<month>\d{2})(?<day>\d{2})(?<entry>\d{4}|\s{4})?/,
    /(?<mark>R?[CD]|E[CD])[A-Z]?(?<amount>[\d.,]+)(?<type>[A-Z][A-Z0-9]{3})?/,
    /(?<customer>.*?)(?:\/\/(?<bank>.*))?$/,
  ]
    .map(({ source }) => source)
    .join(''),
)

/** A booking, from the lines of `:61:`. */
export function toTransaction(lines: readonly string[], currency: string): SourceTransaction {
  const [first = '', ...more] = lines
  const { mark = '', amount = '', ...parts } = form.exec(first)?.groups ?? {}
  if (mark === '') {
    const expected = 'must be a date, C or D (RC or RD for a reversal), an amount and a reference'
    throw new InvalidValue('INVALID_VALUE', expected)
  }
  const customer = (parts['customer'] ?? '').trim().replace(/^NONREF$/i, '')
  const references = withValues({
    customer_reference: customer,
    bank_reference: parts['bank']?.trim(),
    type: parts['type'],
    reversal: mark.startsWith('R') ? 'true' : undefined,
  })
  // A reversal of a credit takes money out; expected bookings (E) only stand in an MT942.
  const isOut = mark === 'D' || mark === 'RC' || mark === 'ED'
  return {
    status: mark.startsWith('E') ? 'pending' : 'posted',
    amount: isOut ? negate(toAmount(amount)) : toAmount(amount),
    currency,
    ...toDates(parts),
    description: plainText(...more) || plainText(customer),
    ...(references ? { references } : {}),
  }
}

type Parts = Readonly<Record<string, string | undefined>>

function toDates({ year = '', month = '', day = '', entry = '' }: Parts) {
  if (entry.trim() === '') {
    const date = toDate(century(year), month, day, 'the value date')
    return { date, value_date: date }
  }
  const date = entryDate(Number(century(year)), Number(month), entry)
  // Interest is often due on a 30th of February.
  if (month === '02' && (day === '29' || day === '30')) {
    return { date, ...withValues({ value_date: whereItExists(year, month, day) }) }
  }
  return { date, value_date: toDate(century(year), month, day, 'the value date') }
}

/** The day of the booking, which has no year: the one nearest to the month of the value date. */
function entryDate(year: number, month: number, entry: string): string {
  const apart = Number(entry.slice(0, 2)) - month
  const moved = apart > 6 ? year - 1 : apart < -6 ? year + 1 : year
  return toDate(String(moved), entry.slice(0, 2), entry.slice(2), 'the entry date')
}

function whereItExists(year: string, month: string, day: string): string | undefined {
  try {
    return toDate(century(year), month, day)
  } catch {
    return undefined
  }
}

/** Files of statements began in the 1970s. */
export const century = (year: string): string => (Number(year) >= 70 ? `19${year}` : `20${year}`)
