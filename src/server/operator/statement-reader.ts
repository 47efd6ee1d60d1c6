import { hash } from 'node:crypto'
import {
  issueCodes,
  type SourceBalance,
  type SourceTransaction,
  type StatementEvent,
  type StatementIssue,
} from '../../statements/statement.ts'
import { fromDecimal, toDecimal } from '../kernel/money.ts'
import { namesOf } from '../sources/account-numbers.ts'
import { formOf } from '../sources/forms.ts'
import type { SourceStatement, StagedRow } from '../sources/source-file.ts'

/** A statement that has been read. */
export interface ReadStatement extends Omit<SourceStatement, 'rows'> {
  /** How many rows it has. */
  count: number
  /** How many parts of its rows are staged. */
  staged: number
  /** Where those parts begin among all of the import. */
  firstStaged: number
  /** The parts after the staged ones. */
  rest: string[]
  /** Why it is not whole, in one line; undefined for a whole one. */
  lack: string | undefined
}

/** Writes parts away: rows as JSON text. All parts of an import are numbered from 0. */
export type Stage = (firstPlace: number, parts: readonly string[]) => Promise<void>

/**
 * How many rows a part has. Rows of more than a few parts would live long enough to be moved by the
 * garbage collector, which takes the more memory the more it moves.
 */
const rowsOfPart = 128
/** How many parts are kept in memory. */
const mostInMemory = 8

type Open = Omit<ReadStatement, 'balances' | 'currencies' | 'lack'> & {
  /** The rows of the part that is not complete. */
  last: StagedRow[]
  balances: SourceBalance[]
  currencies: Set<string>
  posted: number
  lost: string | undefined
}

/**
 * Puts the events of a file together as statements. Rows are staged where a statement has many. Reads
 * are in the order of the file; `issues` collects what the file could not tell.
 */
export function createStatementReader(origin: string, stage: Stage) {
  const issues: StatementIssue[] = []
  const count = createCount()
  let open: Open | undefined
  let staged = 0

  const close = (): ReadStatement[] => {
    if (!open) return []
    endPart(open)
    const { posted, lost, last: _, ...statement } = open
    open = undefined
    const { period } = statement
    statement.days = { ...statement.days, ...period }
    return [{ ...statement, lack: lost ?? findDifference(statement.balances, posted) }]
  }
  const takeRow = async (statement: Open, row: SourceTransaction): Promise<void> => {
    statement.last.push(count(statement.account, row))
    statement.count += 1
    statement.currencies.add(row.currency)
    statement.forms |= formOf(row, statement.isIntraday)
    if (row.status === 'pending') statement.hasPending = true
    else addPosted(statement, row)
    if (statement.last.length === rowsOfPart) endPart(statement)
    if (statement.rest.length < mostInMemory) return
    await stage(staged, statement.rest)
    staged += statement.rest.length
    statement.staged += statement.rest.length
    statement.rest = []
  }
  /** Takes the next event. Returns the statement that it ends. */
  async function take(event: StatementEvent): Promise<ReadStatement[]> {
    if (event.kind === 'statement') {
      const ended = close()
      open = {
        origin,
        account: event.account,
        balances: [],
        currencies: new Set(),
        period: {},
        days: { from: '', to: '' },
        turnover: 0,
        hasPending: false,
        isIntraday: event.isIntraday ?? false,
        forms: 0,
        count: 0,
        staged: 0,
        firstStaged: staged,
        rest: [],
        last: [],
        posted: 0,
        lost: undefined,
      }
      return ended
    }
    if (event.kind === 'issue') {
      const { issue } = event
      issues.push(issue)
      // A bank's error stands before what it is about.
      const isOfNext = issue.code === 'REPORTED_BY_BANK'
      if (open && issueCodes[issue.code].lost && !isOfNext) open.lost ??= toLine(issue)
    } else if (open && event.kind === 'balance') open.balances.push(event.balance)
    else if (open && event.kind === 'period') open.period = { ...open.period, ...event.period }
    else if (open && event.kind === 'transaction') await takeRow(open, event.transaction)
    return []
  }
  return { take, close, issues }
}

function endPart(statement: Open): void {
  if (statement.last.length > 0) statement.rest.push(JSON.stringify(statement.last))
  statement.last = []
}

function addPosted(statement: Open, { date, amount }: SourceTransaction): void {
  const minor = fromDecimal(amount)
  statement.posted += minor
  statement.turnover += Math.abs(minor)
  const { from, to } = statement.days
  statement.days = {
    from: from === '' || date < from ? date : from,
    to: date > to ? date : to,
  }
}

const toLine = ({ line, message }: StatementIssue): string =>
  line === undefined ? message : `line ${line}: ${message}`

/** Why the balances of a statement do not fit its rows; undefined where they do or cannot be compared. */
function findDifference(balances: readonly SourceBalance[], posted: number): string | undefined {
  const opening = balances.find(({ type }) => type === 'opening')
  const closing = balances.findLast(({ type, interim }) => type === 'closing' && !interim)
  if (!opening || !closing) return undefined
  const sum = fromDecimal(opening.amount) + posted
  const difference = fromDecimal(closing.amount) - sum
  if (difference === 0) return undefined
  return `the opening balance of ${opening.amount} and the bookings make ${toDecimal(sum)}, but the closing balance is ${closing.amount}: ${toDecimal(difference)} is missing`
}

/** Numbers equal rows, and tells which ids stand for several bookings, across the statements of a file. */
function createCount() {
  const equal = new Map<number, number>()
  const ids = new Map<number, number>()
  return (account: SourceStatement['account'], row: SourceTransaction): StagedRow => {
    const { id, date, amount, description } = row
    const [name = ''] = namesOf(account)
    const text = digest([name, date, amount, description].join('\n'))
    if (id === undefined) {
      const occurrence = (equal.get(text) ?? 0) + 1
      equal.set(text, occurrence)
      return { ...row, occurrence, sharesId: false }
    }
    const key = digest(`${name}\n${id}`)
    const known = ids.get(key)
    if (known === undefined) ids.set(key, text)
    return { ...row, occurrence: 1, sharesId: known !== undefined && known !== text }
  }
}

/** 52 bits of a hash stand for a text: all texts together take as much memory as their file. */
const digest = (text: string): number => Number.parseInt(hash('sha256', text).slice(0, 13), 16)
