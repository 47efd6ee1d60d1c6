import type { StatementFile } from './read-statement.ts'
import type { SourceBalance, StatementEvent, StatementIssue } from './statement.ts'

/**
 * The JSON text of a file, in pieces as it is read, so that a long file is never held whole:
 * `{ statements: [{ account, transactions, balances, from?, to? }], format, encoding, issues }`.
 */
export async function* toNeutralForm(file: StatementFile): AsyncGenerator<string> {
  const form = openForm()
  yield '{"statements":['
  for await (const events of file.events) yield events.map(form.write).join('')
  const { format } = file
  const rest = { format, encoding: file.encoding(), issues: form.issues }
  yield `${form.endStatement()}],${JSON.stringify(rest).slice(1)}\n`
}

function openForm() {
  const issues: StatementIssue[] = []
  /** What stands after the bookings of the statement that is open. */
  let rest: { balances: SourceBalance[]; from?: string; to?: string } | undefined
  let separator = ''

  const endStatement = (): string => {
    const end = rest ? `],${JSON.stringify(rest).slice(1)}` : ''
    rest = undefined
    return end
  }
  const write = (event: StatementEvent): string => {
    if (event.kind === 'statement') {
      const before = endStatement()
      const text = `${before}${before ? ',' : ''}\n{"account":${JSON.stringify(event.account)},"transactions":[`
      rest = { balances: [] }
      separator = '\n'
      return text
    }
    if (event.kind === 'transaction') {
      const text = `${separator}${JSON.stringify(event.transaction)}`
      separator = ',\n'
      return text
    }
    if (event.kind === 'balance') rest?.balances.push(event.balance)
    else if (event.kind === 'period') Object.assign(rest ?? {}, event.period)
    else issues.push(event.issue)
    return ''
  }
  return { issues, endStatement, write }
}
