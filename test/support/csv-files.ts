import type { CsvMapping } from '../../generated/statements/types.ts'
import type { BankBooking, BankStatement, Writer } from './statement-files.ts'

/** A way of banks to write CSV, with the mapping by which it is read. */
export interface CsvDialect extends Pick<Writer, 'name' | 'hasIds'> {
  write(statement: BankStatement): string | Uint8Array
  options: { mapping: CsvMapping }
  /** Whether nothing but blank lines may stand before the table. */
  mayMove: boolean
}

const quoted = (value: string): string => `"${value.replaceAll('"', '""')}"`
const isOut = (amount: string): boolean => amount.startsWith('-')
const unsigned = (amount: string): string => amount.replace('-', '')
const grouped = (amount: string): string =>
  amount.replace('.', ',').replace(/\d(?=(\d{3})+,)/g, '$&.')
const parts = (date: string): [year: string, month: string, day: string] => {
  const [year = '', month = '', day = ''] = date.split('-')
  return [year, month, day]
}
const monthNames = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

const minorOf = (amount: string): number => Math.round(Number(amount) * 100)

/** The bookings with the balance after each. */
function withBalances({ opening, bookings }: BankStatement) {
  let minor = minorOf(opening.amount)
  return bookings.map((booking) => {
    minor += minorOf(booking.amount)
    return { ...booking, balance: (minor / 100).toFixed(2) }
  })
}

const account = (number: string) => ({ id: { fixed: number } })

/** Values in quotes, the newest booking first, with balances. */
function newestFirst(statement: BankStatement): string {
  const { currency } = statement
  const rows = withBalances(statement).map((row) => {
    const texts = [row.date, row.counterparty ?? '', row.description]
    return [...texts, row.amount, row.balance, currency, row.id].map(quoted)
  })
  const header = ['Date', 'Payee', 'Memo', 'Amount', 'Balance', 'Currency', 'Reference']
  return [header, ...rows.reverse()].map((row) => `${row.join(',')}\n`).join('')
}

const newestFirstMapping: CsvMapping = {
  date: { column: 'Date', form: 'YYYY-MM-DD' },
  amount: { column: 'Amount' },
  description: ['Payee', 'Memo'],
  counterparty: 'Payee',
  id: 'Reference',
  currency: { column: 'Currency' },
  account: account('1'),
  balance: { column: 'Balance' },
}

/** Windows-1252 with lines before and after the table, and a column for each direction. */
function twoColumns({ account: { iban }, currency, bookings }: BankStatement): Uint8Array {
  const toRow = (row: BankBooking) => {
    const [year, month, day] = parts(row.date)
    const amount = grouped(unsigned(row.amount))
    const moved = isOut(row.amount) ? [`-${amount}`, ''] : ['', amount]
    const texts = [row.counterparty ?? '', row.description].map(quoted)
    return [`${day}.${month}.${year.slice(2)}`, ...texts, ...moved, currency, row.id].join(';')
  }
  const lines = [
    `Umsätze;${iban}`,
    '',
    'Tag;Empfänger;Zweck;Soll;Haben;Währung;Nummer;',
    ...bookings.map((row) => `${toRow(row)};`),
    `Summe;;;;;${currency};;`,
  ]
  return Buffer.from(lines.map((line) => `${line}\r\n`).join(''), 'latin1')
}

const twoColumnsMapping: CsvMapping = {
  encoding: 'windows-1252',
  separator: ';',
  decimal: ',',
  thousands: '.',
  skip_lines: 2,
  footer: { starts_with: 'Summe' },
  date: { column: 'Tag', form: 'DD.MM.YY' },
  amount: { in: 'Haben', out: 'Soll' },
  description: ['Empfänger', 'Zweck'],
  counterparty: 'Empfänger',
  currency: { column: 'Währung' },
  id: 'Nummer',
  account: account('2'),
}

/** No header and no quotes; the sign stands in a column of its own. */
function indicated({ currency, bookings }: BankStatement): string {
  const rows = bookings.map((row) => {
    const [year, month, day] = parts(row.date)
    const mark = isOut(row.amount) ? 'DBIT' : 'CRDT'
    const date = `${Number(month)}/${Number(day)}/${year}`
    const amount = [unsigned(row.amount), mark, currency]
    return [date, row.counterparty, row.description, ...amount, row.id].join('\t')
  })
  return rows.map((row) => `${row}\n`).join('')
}

const indicatedMapping: CsvMapping = {
  separator: '\t',
  quotes: false,
  header: false,
  date: { column: 1, form: 'M/D/YYYY' },
  amount: { column: 4, indicator: { column: 5, in: ['crdt'], out: ['dbit'] } },
  description: [2, 3],
  counterparty: 2,
  id: 7,
  currency: { column: 6 },
  account: account('3'),
}

/** A card: money out is positive; the months have names, and every line ends in another way. */
function inverted({ account: { number }, currency, bookings }: BankStatement): string {
  const rows = bookings.map((row) => {
    const [year, month, day] = parts(row.date)
    const amount = isOut(row.amount) ? unsigned(row.amount) : `${unsigned(row.amount)}-`
    const date = `${day} ${monthNames[Number(month) - 1]} ${year} 12:30`
    return [number, currency, date, row.counterparty, row.description, amount, row.id].join('|')
  })
  const ends = ['\n', '\r\n', '\r']
  return ['Card|Currency|Date|Payee|Text|Charge|Id', ...rows]
    .map((row, index) => row + ends[index % ends.length])
    .join('')
}

const invertedMapping: CsvMapping = {
  separator: '|',
  date: { column: 'Date', form: 'DD MMM YYYY' },
  amount: { column: 'Charge', inverted: true },
  description: ['Payee', 'Text'],
  counterparty: 'Payee',
  id: 'Id',
  currency: { column: 'Currency' },
  account: { id: { column: 'Card' }, type: { fixed: 'credit' }, subtype: { fixed: 'credit card' } },
}

export const csvDialects: readonly CsvDialect[] = [
  {
    name: 'CSV, newest first',
    hasIds: true,
    mayMove: true,
    write: newestFirst,
    options: { mapping: newestFirstMapping },
  },
  {
    name: 'CSV, a column for each direction',
    hasIds: true,
    mayMove: false,
    write: twoColumns,
    options: { mapping: twoColumnsMapping },
  },
  {
    name: 'CSV without header, sign in a column',
    hasIds: true,
    mayMove: true,
    write: indicated,
    options: { mapping: indicatedMapping },
  },
  {
    name: 'CSV of a card',
    hasIds: true,
    mayMove: true,
    write: inverted,
    options: { mapping: invertedMapping },
  },
]
