import { setImmediate } from 'node:timers/promises'
import type { ItemRow } from '../items/store.ts'
import type { Context } from '../kernel/context.ts'
import { addDays, toDate } from '../kernel/time.ts'
import { removeTransaction } from '../transactions/change-transactions.ts'
import type { ShownChanges } from '../transactions/emit-updates.ts'
import { claimNumbers } from '../transactions/store.ts'
import type { Merged } from './batch.ts'
import { toCurrency } from './currency.ts'
import { isOneForm } from './forms.ts'
import { windowDays } from './matches.ts'
import { removeTold } from './merge-exact.ts'
import { mergeRows } from './merge-rows.ts'
import { categorize } from './own-categories.ts'
import {
  type ChangedOwners,
  type FoundAccount,
  findOrMakeAccount,
  updateBalances,
} from './source-account.ts'
import { type AccountAnswers, noRows, type RowCounts, type SourceStatement } from './source-file.ts'
import { hasOthers, listPending, type NearRow, type Origin } from './store.ts'
import { addTold, type Days, type Told } from './told.ts'

/** What a statement did to its account. */
export interface CommittedStatement {
  account_id: string
  account_key: number
  name: string
  type: string
  isNew: boolean
  /** The account that a new one may be. */
  alike?: string | undefined
  /** The owners before and after it, if it changed those that were known. */
  owners: ChangedOwners | undefined
  counts: RowCounts
  changes: ShownChanges
}

const nothing = () => undefined

/** What rows are compared with is read for all of them together. */
const partsAtOnce = { alone: 1, compared: 8 }

/** Makes a statement the Item's: its account, its rows and its balances, in the caller's transaction. */
export async function commitStatement(
  ctx: Context,
  item: ItemRow,
  told: SourceStatement,
  answers: AccountAnswers,
): Promise<CommittedStatement> {
  const done = await commitParts(ctx, item, told, answers, { most: Number.POSITIVE_INFINITY })
  if ('paused' in done) throw new Error('a statement without a limit was not committed whole')
  return done
}

/** A statement of which some parts are committed. It is stored as JSON. */
export interface PausedStatement {
  /** The next part. */
  part: number
  merged: Omit<Merged, 'reported'> & { reported: readonly string[] }
  begun: Begun
}

/** What only the beginning of a commit can tell. */
type Begun = Pick<FoundAccount, 'isNew' | 'alike' | 'owners' | 'hasOtherSigns' | 'balanceOn'>

interface Limits {
  /** After how many parts it pauses. */
  most: number
  paused?: PausedStatement | undefined
}

/**
 * The same for some parts of a long statement. The caller's transaction must store what is paused
 * along with the rows. Until the last part the account shows rows without its new balance.
 */
export async function commitParts(
  ctx: Context,
  item: ItemRow,
  told: SourceStatement,
  answers: AccountAnswers,
  { most, paused }: Limits,
): Promise<CommittedStatement | { paused: PausedStatement }> {
  // Before anything of it is written, since what is rejected leaves nothing.
  for (const currency of told.currencies) toCurrency(currency)
  const found: FoundAccount = {
    ...(await findOrMakeAccount(ctx, item, told, answers)),
    ...paused?.begun,
  }
  const { statement } = found
  const { account_id, account_key } = found.account
  const origin: Origin = {
    item_id: item.item_id,
    account_key,
    account_id,
    origin: statement.origin,
    isIntraday: statement.isIntraday,
    isExact: statement.isExact ?? false,
  }
  // Another import may have come between.
  const isAlone = await hasNothingNear(ctx, origin, found.told, statement)
  const merged = paused
    ? { ...paused.merged, reported: new Set(paused.merged.reported) }
    : await beginMerge(ctx, origin, found, isAlone && most === Number.POSITIVE_INFINITY)
  const { find = nothing } = answers
  const parts = isAlone ? partsAtOnce.alone : partsAtOnce.compared
  const first = paused?.part ?? 0
  for (let part = first; ; part += parts) {
    if (part - first >= most) return { paused: pauseAt(part, merged, found) }
    const rows = (await statement.rows(part, parts)).map((row) => categorize(row, find))
    if (rows.length === 0) break
    await mergeRows(ctx, origin, rows, merged, isAlone)
    // The embedded store works in this process, which has health checks to answer.
    await setImmediate()
  }
  return endStatement(ctx, origin, found, merged)
}

/** `isOnly` says that no transaction will be compared. */
async function beginMerge(
  ctx: Context,
  origin: Origin,
  { balanceOn, told, statement }: FoundAccount,
  isOnly: boolean,
): Promise<Merged> {
  return {
    counts: noRows(),
    added: 0,
    balanceOn,
    addedAfter: 0,
    lastDate: '',
    days: statement.days,
    booked: told.booked,
    before: isOnly ? 0 : await claimNumbers(ctx, origin.item_id, 0),
    removed: [],
    reported: new Set(),
  }
}

function pauseAt(part: number, merged: Merged, found: FoundAccount): PausedStatement {
  const { isNew, alike, owners, hasOtherSigns, balanceOn } = found
  const begun = { isNew, alike, owners, hasOtherSigns, balanceOn }
  return { part, merged: { ...merged, reported: [...merged.reported] }, begun }
}

/** What follows the rows: pending ones that are over, the days that were told, and the balances. */
async function endStatement(
  ctx: Context,
  origin: Origin,
  found: FoundAccount,
  merged: Merged,
): Promise<CommittedStatement> {
  const { statement, isNew, alike, owners } = found
  const { account_id, account_key, name, type } = found.account
  await dropUnreported(ctx, origin, statement, merged)
  const booked = await addTold(ctx, origin, found.told, statement, toDate(ctx.now))
  const { balances, isLive = false } = statement
  const last = isLive ? statement.days.to : undefined
  if (origin.isExact) await removeTold(ctx, origin, statement.removed ?? [], merged)
  else for (const days of booked) await dropOver(ctx, origin, days, merged, last)
  const { counts, added, removed } = merged
  const isChange = found.hasOtherSigns || added + counts.changed + counts.removed > 0
  await updateBalances(ctx, found, origin, { ...merged, balances, isChange, isLive })
  const changes = { added, modified: counts.changed > 0, removed }
  return { account_id, account_key, name, type, isNew, alike, owners, counts, changes }
}

/** Whether no transaction has to be compared: none is pending, of another origin or in another form. */
async function hasNothingNear(
  ctx: Context,
  origin: Origin,
  { forms }: Told,
  { hasPending, forms: own }: SourceStatement,
): Promise<boolean> {
  if (hasPending || (forms !== 0 && !isOneForm(forms | own))) return false
  return !(await hasOthers(ctx, origin))
}

/** A pending transaction goes when a statement of its days that tells what is pending lacks it. */
async function dropUnreported(
  ctx: Context,
  origin: Origin,
  { hasPending, period: { from, to } }: SourceStatement,
  merged: Merged,
): Promise<void> {
  if (!hasPending || from === undefined || to === undefined) return
  await drop(ctx, origin, merged, { from, to }, ({ forms }) => forms !== 0)
}

/**
 * A pending transaction also goes when statements tell all days in which it could be posted. `last` is
 * the last day of which the statement knows what is pending.
 */
async function dropOver(
  ctx: Context,
  origin: Origin,
  { from, to }: Days,
  merged: Merged,
  last: string | undefined,
) {
  const before = addDays(to, -windowDays - 1)
  const over = { from, to: last !== undefined && last < before ? last : before }
  await drop(ctx, origin, merged, over, () => true)
}

async function drop(
  ctx: Context,
  origin: Origin,
  merged: Merged,
  days: { from: string; to: string },
  test: (row: NearRow) => boolean,
): Promise<void> {
  for (const row of await listPending(ctx, origin, days)) {
    if (merged.reported.has(row.transaction_id) || !test(row)) continue
    if (await removeTransaction(ctx, origin.item_id, row)) merged.removed.push(row.transaction_id)
    merged.counts.removed += 1
  }
}
