import type { CsvMapping } from '../../../generated/statements/types.ts'
import type { Emit, SourceAccount, StatementParser } from '../statement.ts'
import { InvalidValue } from '../values.ts'
import { balanceChain } from './balances.ts'
import { type Columns, findColumns } from './columns.ts'
import { rowReader } from './rows.ts'
import { isTrue, rowParser, unknownAccount, unknownCurrency } from './transactions.ts'

interface Row {
  values: readonly string[]
  line: number
}

/** Reads CSV by a mapping. */
export const csvParser =
  (mapping: CsvMapping) =>
  (emit: Emit): StatementParser => {
    const { separator = ',', quotes = true, skip_lines: skipLines = 0, footer } = mapping
    const statements = statementWriter(mapping, emit)
    /** The rows that may still turn out to be the footer. */
    const held: Row[] = []
    let isOver = false
    let failure: unknown
    const guarded = (work: () => void): void => {
      // The rows come out of a stream, which would take an error for its own.
      try {
        if (failure === undefined) work()
      } catch (error) {
        failure = error
      }
    }
    const rows = rowReader(
      { separator, quotes, skipLines },
      {
        row(values, line) {
          isOver ||= footer?.starts_with !== undefined && startsWith(values, footer.starts_with)
          if (isOver) return
          held.push({ values, line })
          const next = held.length > (footer?.lines ?? 0) ? held.shift() : undefined
          if (next) guarded(() => statements.take(next))
        },
        broken: (line, message) => statements.lose(line, 'INVALID_VALUE', message),
        unended(line) {
          const message =
            'a quote begins in or after this line and never ends: nothing more is read'
          statements.lose(line, 'UNEXPECTED_END', message)
        },
      },
    )
    const rethrow = (): void => {
      if (failure !== undefined) throw failure
    }
    return {
      write(text) {
        rows.write(text)
        rethrow()
      },
      async end() {
        const hasEnd = await rows.end()
        rethrow()
        statements.end(hasEnd || isOver)
      },
    }
  }

const startsWith = (values: readonly string[], text: string): boolean =>
  values
    .find((value) => value.trim() !== '')
    ?.trim()
    .startsWith(text) ?? false

/** What is known of an account while its rows are read. */
interface OpenStatement {
  account: SourceAccount
  chain: ReturnType<typeof balanceChain>
}

/** Puts rows together as statements: one for as long as account and currency stay the same. */
function statementWriter(mapping: CsvMapping, emit: Emit) {
  const { header = true, skip_rows: skipped = [], balance } = mapping
  let columns: Columns | undefined
  let parser: ReturnType<typeof rowParser> | undefined
  let open: OpenStatement | undefined
  let lastLine = 0

  const lose = (line: number, code: InvalidValue['code'], message: string): void => {
    emit({ kind: 'issue', issue: { line, code, message } })
    open?.chain.interrupt()
  }
  const close = (): void => {
    if (!open) return
    const { balances, issue } = open.chain.end(open.account.currency)
    for (const each of balances) emit({ kind: 'balance', balance: each })
    if (issue) emit({ kind: 'issue', issue })
    open = undefined
  }
  const begin = (account: SourceAccount): OpenStatement => {
    close()
    emit({ kind: 'statement', account })
    open = { account, chain: balanceChain(balance?.order) }
    return open
  }
  const find = ({ values, line }: Row): void => {
    columns = findColumns(mapping, values, line)
    parser = rowParser(mapping, columns)
    for (const issue of unnamed(mapping)) emit({ kind: 'issue', issue: { ...issue, line } })
    if (isFixed(mapping)) begin(parser.account([]))
  }
  const read = ({ values, line }: Row, by: NonNullable<typeof parser>): void => {
    const account = by.account(values)
    const transaction = by.transaction(values, account.currency)
    const held = by.balance(values)
    const same = open?.account.id === account.id && open.account.currency === account.currency
    const { chain } = open && same ? open : begin(account)
    const { amount, date, status } = transaction
    emit({ kind: 'transaction', transaction, line })
    // What is pending does not count for the balance yet.
    if (status === 'posted') chain.add({ amount, date, balance: held, line })
  }
  return {
    lose,
    take(row: Row): void {
      const { values, line } = row
      lastLine = line
      if (values.every((value) => value.trim() === '')) return
      const isHeader = !columns && header
      if (!columns || !parser) find(row)
      if (isHeader || !columns || !parser) return
      const known = columns
      if (skipped.some((each) => isTrue(each, known, values))) {
        open?.chain.interrupt()
        return
      }
      const told = countOf(values, columns.count)
      if (told !== undefined) {
        lose(line, 'INVALID_VALUE', told)
        return
      }
      try {
        read(row, parser)
      } catch (error) {
        if (!(error instanceof InvalidValue)) throw error
        lose(line, error.code, error.message)
      }
    },
    end(hasLineEnd: boolean): void {
      close()
      if (hasLineEnd || lastLine === 0) return
      const message = 'the last line has no end, so the file may have been cut there'
      emit({ kind: 'issue', issue: { line: lastLine, code: 'UNFINISHED_LINE', message } })
    },
  }
}

/** Why a row is not as long as the first one; empty values at its end do no harm. */
function countOf(values: readonly string[], count: number): string | undefined {
  if (values.length === count) return undefined
  const isLonger = values.length > count && values.slice(count).every((value) => value === '')
  return isLonger ? undefined : `the row has ${values.length} columns, and the first row ${count}`
}

const isFixed = ({ currency, account }: CsvMapping): boolean =>
  currency?.column === undefined &&
  [account?.id, account?.bank_id, account?.type, account?.subtype].every(
    (source) => source?.column === undefined,
  )

/** What the mapping leaves open, and what stands in its place. */
const unnamed = ({ currency, account }: CsvMapping) => [
  ...(currency
    ? []
    : [
        {
          code: 'UNKNOWN_CURRENCY' as const,
          message: `no currency is named, so it is ${unknownCurrency}; a mapping or --currency names it`,
        },
      ]),
  ...(account
    ? []
    : [
        {
          code: 'UNKNOWN_ACCOUNT' as const,
          message: `no account is named, so it is ${unknownAccount}; a mapping or --account-id names it`,
        },
      ]),
]
