import type { StatementFile } from './read-statement.ts'
import type { StatementEvent, StatementIssue } from './statement.ts'
import { fromMinor, sumOf } from './values.ts'

/** How many issues are told one by one. */
const mostIssues = 20

/** What people want to know of a file: its accounts with their balances, bookings and sums. */
export async function* toSummary(file: StatementFile): AsyncGenerator<string> {
  const issues: StatementIssue[] = []
  let told = ''
  const totals = { bookings: 0, pending: 0, in: 0n, out: 0n, first: '', last: '', currency: '' }
  let balances: string[] = []
  const end = (): string => {
    if (told === '') return ''
    const { bookings, pending, first, last, currency } = totals
    const span = bookings > 0 ? `, ${first} to ${last}` : ''
    const lines = [
      `  bookings  ${bookings}${span}${pending > 0 ? `, ${pending} of them pending` : ''}`,
      `  in        ${fromMinor(totals.in)} ${currency}`,
      `  out       ${fromMinor(totals.out)} ${currency}`,
      ...balances,
    ]
    balances = []
    Object.assign(totals, { bookings: 0, pending: 0, in: 0n, out: 0n, first: '', last: '' })
    return `${lines.join('\n')}\n`
  }
  const take = (event: StatementEvent): string => {
    if (event.kind === 'statement') {
      const { id, bank_id, type, currency } = event.account
      const text = `${end()}account ${[id, bank_id, type, currency].filter(Boolean).join(', ')}\n`
      totals.currency = currency
      told = id
      return text
    }
    if (event.kind === 'transaction') {
      const { amount, date, status } = event.transaction
      totals.bookings += 1
      if (status === 'pending') totals.pending += 1
      if (amount.startsWith('-')) totals.out -= sumOf([amount])
      else totals.in += sumOf([amount])
      if (totals.first === '' || date < totals.first) totals.first = date
      if (date > totals.last) totals.last = date
    } else if (event.kind === 'balance') {
      const { type, amount, currency, date } = event.balance
      balances.push(`  ${type.padEnd(9)} ${amount} ${currency}, ${date}`)
    } else if (event.kind === 'issue') issues.push(event.issue)
    return ''
  }
  for await (const events of file.events) yield events.map(take).join('')
  yield end()
  yield `${file.format}, ${file.encoding()}\n`
  yield issues.slice(0, mostIssues).map(issueLine).join('')
  if (issues.length > mostIssues) yield `and ${issues.length - mostIssues} more issues\n`
}

const issueLine = ({ line, code, message }: StatementIssue): string =>
  `${line === undefined ? '' : `line ${line}: `}${code}: ${message}\n`
