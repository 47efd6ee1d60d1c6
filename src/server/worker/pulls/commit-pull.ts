import { limitsOf } from '../../../connector/connector.ts'
import { type AccountRow, updateAccount } from '../../items/account-store.ts'
import { healthOf } from '../../items/change-health.ts'
import { type ItemRow, updateItem } from '../../items/store.ts'
import type { Context } from '../../kernel/context.ts'
import type { Service } from '../../kernel/service.ts'
import type { EndedPull } from '../../kernel/telemetry.ts'
import { addDays, toDate } from '../../kernel/time.ts'
import type { Protocol, Window } from '../../protocols/protocol.ts'
import { endPull, type PullRow } from '../../queue/pull-store.ts'
import { isOwed } from '../../sources/account-kind.ts'
import { announceImport } from '../../sources/announce-import.ts'
import { changeSourceHealth } from '../../sources/change-health.ts'
import {
  type CommittedStatement,
  commitParts,
  type PausedStatement,
} from '../../sources/commit-statement.ts'
import { findHidden, type HiddenAccount, readHidden } from '../../sources/hidden-accounts.ts'
import type { FindCategory } from '../../sources/own-categories.ts'
import {
  type PulledStatement,
  type PulledStatements,
  rowsOfPart,
  wordsOf,
} from '../../sources/pulled-statements.ts'
import { findAccountOf } from '../../sources/source-account.ts'
import { noRows, RejectedStatement, type RowCounts } from '../../sources/source-file.ts'
import { findSourceAccount } from '../../sources/store.ts'
import { toTold } from '../../sources/told.ts'
import { announceHistory } from '../../transactions/emit-updates.ts'
import { updateStatus } from '../../transactions/store.ts'
import { closeMissing } from './close-missing.ts'
import { inClaim } from './in-client.ts'
import { nextHistory, nextRead, overlapDays } from './plan.ts'

/** A claimed pull whose source has answered. */
interface ReadPull {
  pull: PullRow
  protocol: Protocol
  window: Window
  /** Real ms, before the call. */
  now: number
  find: FindCategory
}

/** What the transactions of a pull have done so far. */
interface Done {
  counts: RowCounts
  added: number
  /** The positions of the accounts whose days were told. */
  covered: number[]
  hidden: HiddenAccount[]
  notices: string[]
}

/** How many rows are committed together. SQLite has one writer, which all clients wait for. */
const rowsAtOnce = 2000

/**
 * Makes what a source told the Item's. Many rows take several transactions, also those of one account.
 * The last one also stores what the next read needs: after a crash before it, the same days are read
 * again, and the rows that are there already are known.
 */
export async function commitPull(
  service: Service,
  read: ReadPull,
  pulled: PulledStatements,
): Promise<EndedPull['rows']> {
  let done: Done = {
    counts: noRows(),
    added: 0,
    covered: [],
    hidden: readHidden(read.pull.hidden),
    notices: pulled.issues.map(({ message }) => message),
  }
  const parts = divide(pulled.statements)
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1
    let paused: PausedStatement | undefined
    do {
      // The transaction may run again. Each run starts from the same counts.
      const before = { done, paused }
      const after = await inClaim(service, read.pull, async (ctx, item) => {
        const { done: counting, paused: open } = structuredClone(before)
        const made = await commitPart(ctx, item, part, { done: counting, read, paused: open })
        const { committed } = made
        if (isLast && !made.paused) {
          await finish(ctx, item, read, pulled, { committed, done: counting })
        } else await announceImport(ctx, item, committed, false)
        return { done: counting, paused: made.paused }
      })
      done = after.done
      paused = after.paused
    } while (paused)
  }
  return { ...done.counts }
}

const isLong = ({ count }: PulledStatement): boolean => count > rowsAtOnce

/** The statements in groups of not too many rows; one group at least. A long one has its own. */
function divide(statements: readonly PulledStatement[]): PulledStatement[][] {
  const parts: PulledStatement[][] = [[]]
  let rows = 0
  for (const statement of statements) {
    if (rows >= rowsAtOnce || (rows > 0 && isLong(statement))) {
      parts.push([])
      rows = 0
    }
    parts.at(-1)?.push(statement)
    rows += statement.count
  }
  return parts
}

/** What a transaction starts from: what was done, and a long statement that goes on. */
interface Begun {
  done: Done
  read: ReadPull
  paused: PausedStatement | undefined
}

interface Part {
  committed: CommittedStatement[]
  /** Where the long statement of this part goes on. */
  paused?: PausedStatement | undefined
}

async function commitPart(
  ctx: Context,
  item: ItemRow,
  statements: readonly PulledStatement[],
  begun: Begun,
): Promise<Part> {
  const { done } = begun
  const committed: CommittedStatement[] = []
  let paused: PausedStatement | undefined
  for (const statement of statements) {
    const one = await commitOne(ctx, item, statement, begun)
    if (!one) continue
    paused = one.paused
    committed.push(one.committed)
    const { counts, changes, account_key } = one.committed
    done.added += changes.added
    if (statement.isCovered && !paused) done.covered.push(account_key)
    for (const key of Object.keys(counts) as (keyof RowCounts)[]) done.counts[key] += counts[key]
  }
  return { committed, paused }
}

/** What cannot be shown leaves the other accounts alone. */
async function commitOne(
  ctx: Context,
  item: ItemRow,
  statement: PulledStatement,
  { done, read: { find, window }, paused }: Begun,
): Promise<{ committed: CommittedStatement; paused?: PausedStatement } | undefined> {
  const { account } = statement
  const shown = await findAccountOf(ctx, item.item_id, account)
  if (!shown) {
    await hide(ctx, item, account, done)
    return undefined
  }
  try {
    // Nothing before the first day of the history was asked for.
    const isFirst = window.from <= firstDayOf(item)
    const overlapping = { ...statement, overlapDays: isFirst ? 0 : overlapDays }
    const most = isLong(statement) ? partsAtOnce : Number.POSITIVE_INFINITY
    const one = await commitParts(ctx, item, overlapping, { find }, { most, paused })
    return 'paused' in one ? await settle(ctx, shown, statement, one.paused) : { committed: one }
  } catch (error) {
    if (!(error instanceof RejectedStatement)) throw error
    done.notices.push(`${account.name ?? 'an account'}: ${error.message}`)
    return undefined
  }
}

const partsAtOnce = Math.ceil(rowsAtOnce / rowsOfPart)

/**
 * What a part of a long statement did, which counts now: after a crash its rows are not new. What goes
 * on begins without it.
 */
async function settle(
  ctx: Context,
  account: AccountRow,
  { balances }: PulledStatement,
  { part, merged, begun }: PausedStatement,
): Promise<{ committed: CommittedStatement; paused: PausedStatement }> {
  const { added, counts, removed, addedAfter } = merged
  const hasBalance = balances.some(({ type }) => type === 'closing')
  if (!hasBalance) {
    const sign = isOwed(account.type) ? -1 : 1
    await updateAccount(ctx, account, { current: account.current + sign * addedAfter })
  }
  const { account_id, account_key, name, type } = account
  const { alike, owners } = begun
  const changes = { added, modified: counts.changed > 0, removed }
  const rest = { ...merged, added: 0, counts: noRows(), removed: [] }
  return {
    committed: {
      account_id,
      account_key,
      name,
      type,
      isNew: false,
      alike,
      owners,
      counts,
      changes,
    },
    paused: {
      part,
      merged: hasBalance ? rest : { ...rest, addedAfter: 0 },
      begun: { ...begun, owners: undefined },
    },
  }
}

/** An account that the user has not seen yet waits for its type, which no source tells. */
async function hide(
  ctx: Context,
  item: ItemRow,
  account: HiddenAccount['account'],
  done: Done,
): Promise<void> {
  if (findHidden(done.hidden, account)) return
  done.hidden.push({ account, isLeftOut: false })
  const { item_id, webhook: url } = item
  await ctx.emit('ITEM.NEW_ACCOUNTS_AVAILABLE', { item_id, error: null }, { url, item_id })
}

interface Finished {
  committed: readonly CommittedStatement[]
  done: Done
}

async function finish(
  ctx: Context,
  item: ItemRow,
  { pull, protocol, window, now }: ReadPull,
  pulled: PulledStatements,
  { committed, done }: Finished,
): Promise<void> {
  const { issues, state } = pulled
  const isLogin = issues.some(({ kind }) => kind === 'login')
  const health = healthOf(isLogin ? 'ITEM_LOGIN_REQUIRED' : null)
  await updateItem(ctx, item.item_id, { transactions_updated_at: ctx.now })
  await changeSourceHealth(ctx, item, health, 'pull')
  if (protocol.exactIds) await closeMissing(ctx, item, pulled)
  const isTold = done.covered.length > 0 || issues.every(({ kind }) => kind === 'row')
  const history = await findHistory(ctx, item, done.covered, protocol)
  const added = isTold || done.added > 0 ? done.added : undefined
  await announce(ctx, { ...item, ...health }, committed, {
    added,
    isComplete: isTold && history === undefined,
  })
  const asked = history === undefined ? null : JSON.stringify(history)
  const text = isTold ? asked : pull.history
  // A part that brought nothing new is asked for again after the next usual read.
  const isHistory = text !== null && (text !== pull.history || isLatest(window, now))
  await endPull(ctx.db, pull, {
    state: state === undefined ? pull.state : JSON.stringify(state),
    hidden: JSON.stringify(done.hidden),
    history: text,
    read_at: isLatest(window, now) ? now : pull.read_at,
    due_at: nextRead(pull, limitsOf(protocol), now, isHistory),
    failures: 0,
    failure: isLogin ? 'ITEM_LOGIN_REQUIRED' : null,
    notices: toLines(done.notices),
    said: toLines(wordsOf(issues)),
  })
}

const mostLines = 20

const toLines = (texts: readonly string[]): string | null =>
  texts.length === 0 ? null : texts.slice(0, mostLines).join('\n')

const isLatest = ({ to }: Window, now: number): boolean =>
  to > new Date(now).toISOString().slice(0, 10)

/** The part of the history that is missing of an account whose source tells its days. */
async function findHistory(
  ctx: Context,
  item: ItemRow,
  covered: readonly number[],
  protocol: Protocol,
): Promise<Window | undefined> {
  const booked: Window[][] = []
  for (const accountKey of covered) {
    const row = await findSourceAccount(ctx, item.item_id, accountKey)
    booked.push([...toTold(row).booked])
  }
  return nextHistory(booked, firstDayOf(item), toDate(ctx.now), limitsOf(protocol))
}

/** The first day of the history that the client asked for. */
const firstDayOf = ({ created_at, days_requested }: ItemRow): string =>
  addDays(toDate(created_at), 1 - (days_requested ?? 1))

interface Told {
  /** Undefined where the source told errors in place of days: nothing may be there that is missing. */
  added: number | undefined
  /** Whether the whole history is there. */
  isComplete: boolean
}

/** The first reads of an Item have webhooks of their own. */
async function announce(
  ctx: Context,
  item: ItemRow,
  committed: readonly CommittedStatement[],
  { added, isComplete }: Told,
): Promise<void> {
  const { item_id, transactions_status: before } = item
  if (before === 'HISTORICAL_UPDATE_COMPLETE' || added === undefined) {
    return announceImport(ctx, item, committed, false)
  }
  if (before !== 'INITIAL_UPDATE_COMPLETE') {
    const initial = { ...item, transactions_status: 'INITIAL_UPDATE_COMPLETE' }
    await updateStatus(ctx, item_id, 'INITIAL_UPDATE_COMPLETE')
    await announceHistory(ctx, initial, 'INITIAL_UPDATE', added)
  } else if (!isComplete) await announceImport(ctx, item, committed, false)
  if (!isComplete) return
  const whole = { ...item, transactions_status: 'HISTORICAL_UPDATE_COMPLETE' }
  await updateStatus(ctx, item_id, 'HISTORICAL_UPDATE_COMPLETE')
  await announceHistory(ctx, whole, 'HISTORICAL_UPDATE', added)
}
