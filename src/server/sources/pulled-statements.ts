import { setImmediate as letOthersRun } from 'node:timers/promises'
import type { SourceTransaction } from '../../statements/statement.ts'
import { fromDecimal } from '../kernel/money.ts'
import { ConnectorFault } from '../protocols/ask-source.ts'
import type { Message, Protocol, SourceIssue } from '../protocols/protocol.ts'
import { createCount, daysWith } from './count-rows.ts'
import { formOf } from './forms.ts'
import type { SourceStatement, StagedRow } from './source-file.ts'

/** What a read of a source told. */
export interface PulledStatements {
  statements: PulledStatement[]
  issues: SourceIssue[]
  state: unknown
}

/** What it told of one account. */
export interface PulledStatement extends SourceStatement {
  /** How many rows there are. */
  count: number
  /** Whether all bookings of its period were told. */
  isCovered: boolean
}

/** What the source told its user, each text once. The other issues are in the words of the service. */
export const wordsOf = (issues: readonly SourceIssue[]): string[] => [
  ...new Set(
    issues.flatMap(({ kind, message }) =>
      (kind === 'login' || kind === 'notice') && message !== '' ? [message] : [],
    ),
  ),
]

/** An account whose messages come. */
interface Open extends PulledStatement {
  staged: StagedRow[]
  currencies: Set<string>
  balances: SourceStatement['balances'][number][]
  removed: string[]
}

/** What the ids of a connector's rows are of. Those of another key version are not compared. */
export const originOf = ({ id, keyVersion }: Pick<Protocol, 'id' | 'keyVersion'>): string =>
  keyVersion === 1 ? id : `${id}/${keyVersion}`

/** How many rows a part of a statement has. */
export const rowsOfPart = 128
/** After so many messages, other requests get their turn: a source may tell a hundred thousand rows. */
const messagesAtOnce = 500

/** A connector, as far as its rows are concerned. */
type Read = Pick<Protocol, 'id' | 'keyVersion' | 'exactIds'>

/** Puts the messages of a read together, a statement for each account. */
export async function collectStatements(
  protocol: Read,
  messages: AsyncIterable<Message>,
): Promise<PulledStatements> {
  const count = createCount()
  const open = new Map<string, Open>()
  const issues: SourceIssue[] = []
  let state: unknown
  let told = 0
  for await (const message of messages) {
    told += 1
    if (told % messagesAtOnce === 0) await letOthersRun()
    if (message.type === 'issue') issues.push(message.issue)
    else if (message.type === 'state') state = message.state
    else if (message.type === 'account') {
      // A source may tell an account in several parts.
      if (!open.has(message.ref)) open.set(message.ref, openStatement(protocol, message.account))
    } else take(open.get(message.ref), message, (row) => count(accountOf(open, message.ref), row))
  }
  return { statements: [...open.values()], issues, state }
}

const accountOf = (open: ReadonlyMap<string, Open>, ref: string) =>
  requireOpen(open.get(ref)).account

function requireOpen(statement: Open | undefined): Open {
  if (statement) return statement
  throw new ConnectorFault('the connector told something of an account before the account')
}

type OfAccount = Extract<Message, { type: 'balance' | 'transaction' | 'removed' | 'covered' }>

function take(
  given: Open | undefined,
  message: OfAccount,
  count: (row: SourceTransaction) => StagedRow,
): void {
  const statement = requireOpen(given)
  if (message.type === 'balance') statement.balances.push(inCurrency(statement, message.balance))
  else if (message.type === 'removed') statement.removed.push(message.id)
  else if (message.type === 'covered') cover(statement, message)
  else takeRow(statement, count(message.transaction))
}

/** Its amount would be shown in the currency of the account. */
function inCurrency(
  { account }: Open,
  balance: SourceStatement['balances'][number],
): SourceStatement['balances'][number] {
  if (balance.currency === account.currency) return balance
  throw new ConnectorFault('the connector told a balance in another currency than its account')
}

function cover(
  statement: Open,
  { from, to, pending }: Extract<Message, { type: 'covered' }>,
): void {
  statement.period = { from, to }
  statement.days = daysWith(daysWith(statement.days, from), to)
  statement.isCovered = true
  if (pending) statement.hasPending = true
}

function takeRow(statement: Open, row: StagedRow): void {
  statement.staged.push(row)
  statement.count += 1
  statement.currencies.add(row.currency)
  statement.forms |= formOf(row, false)
  if (row.status === 'pending') statement.hasPending = true
  else {
    const minor = fromDecimal(row.amount)
    statement.posted += minor
    statement.turnover += Math.abs(minor)
    statement.days = daysWith(statement.days, row.date)
  }
}

/** A statement of an account, of which nothing is told yet. */
export function openStatement(protocol: Read, account: SourceStatement['account']): Open {
  const staged: StagedRow[] = []
  const format = originOf(protocol)
  return {
    origin: account.epoch === undefined ? format : `${format}#${account.epoch}`,
    format,
    account,
    balances: [],
    currencies: new Set([account.currency]),
    period: {},
    days: { from: '', to: '' },
    turnover: 0,
    posted: 0,
    hasPending: false,
    isIntraday: false,
    isLive: true,
    forms: 0,
    staged,
    removed: [],
    isExact: protocol.exactIds === true,
    count: 0,
    isCovered: false,
    rows: async (part, parts) => staged.slice(part * rowsOfPart, (part + parts) * rowsOfPart),
  }
}
