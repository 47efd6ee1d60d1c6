import {
  issueCodes,
  type SourceBalance,
  type SourceTransaction,
  type StatementEvent,
  type StatementIssue,
} from '../../statements/statement.ts'
import { fromDecimal } from '../kernel/money.ts'
import { createCount, daysWith } from './count-rows.ts'
import { formOf } from './forms.ts'
import type { SourceStatement, StagedRow } from './source-file.ts'

/** A statement that has been read. */
export interface ReadStatement extends Omit<SourceStatement, 'rows' | 'format'> {
  /** How many rows it has. */
  count: number
  /** How many parts of its rows are staged. */
  staged: number
  /** Where those parts begin among all of the import. */
  firstStaged: number
  /** The parts after the staged ones. */
  rest: string[]
  /** What of it could not be read, in one line; undefined where nothing is missing. */
  lack: string | undefined
}

/** Writes parts away: rows as JSON text. All parts of an import are numbered from 0. */
export type Stage = (firstPlace: number, parts: readonly string[]) => Promise<void>

/**
 * How many rows a part has. Rows of more than a few parts would live long enough to be moved by the
 * garbage collector, which takes the more memory the more it moves.
 */
export const rowsOfPart = 128
/** How many parts are kept in memory. */
const mostInMemory = 8

type Open = Omit<ReadStatement, 'balances' | 'currencies' | 'lack'> & {
  /** The rows of the part that is not complete. */
  last: StagedRow[]
  balances: SourceBalance[]
  currencies: Set<string>
  lost: string | undefined
}

/**
 * Puts the events of a file together as statements. Rows are staged where a statement has many, or
 * always. Reads are in the order of the file; `issues` collects what the file could not tell.
 */
export function createStatementReader(origin: string, stage: Stage, stagesAll = false) {
  const issues: StatementIssue[] = []
  const count = createCount()
  let open: Open | undefined
  let staged = 0

  const stageRest = async (statement: Open): Promise<void> => {
    await stage(staged, statement.rest)
    staged += statement.rest.length
    statement.staged += statement.rest.length
    statement.rest = []
  }
  const close = async (): Promise<ReadStatement[]> => {
    if (!open) return []
    endPart(open)
    if (stagesAll && open.rest.length > 0) await stageRest(open)
    const { lost, last: _, ...statement } = open
    open = undefined
    const { period } = statement
    statement.days = { ...statement.days, ...period }
    return [{ ...statement, lack: lost }]
  }
  const takeRow = async (statement: Open, row: SourceTransaction): Promise<void> => {
    statement.last.push(count(statement.account, row))
    statement.count += 1
    statement.currencies.add(row.currency)
    statement.forms |= formOf(row, statement.isIntraday)
    if (row.status === 'pending') statement.hasPending = true
    else addPosted(statement, row)
    if (statement.last.length === rowsOfPart) endPart(statement)
    if (statement.rest.length >= mostInMemory) await stageRest(statement)
  }
  /** Takes the next event. Returns the statement that it ends. */
  async function take(event: StatementEvent): Promise<ReadStatement[]> {
    if (event.kind === 'statement') {
      const ended = await close()
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

function addPosted(statement: Open, row: SourceTransaction): void {
  const minor = fromDecimal(row.amount)
  statement.posted += minor
  statement.turnover += Math.abs(minor)
  statement.days = daysWith(statement.days, row.date)
}

const toLine = ({ line, message }: StatementIssue): string =>
  line === undefined ? message : `line ${line}: ${message}`
