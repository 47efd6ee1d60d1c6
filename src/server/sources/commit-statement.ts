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
import { mergeRows } from './merge-rows.ts'
import { categorize } from './own-categories.ts'
import { type ChangedOwners, findOrMakeAccount, updateBalances } from './source-account.ts'
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
  // Before anything of it is written, since what is rejected leaves nothing.
  for (const currency of told.currencies) toCurrency(currency)
  const found = await findOrMakeAccount(ctx, item, told, answers)
  const { statement } = found
  const { account_id, account_key, name, type } = found.account
  const origin: Origin = {
    item_id: item.item_id,
    account_key,
    account_id,
    origin: statement.origin,
    isIntraday: statement.isIntraday,
  }
  const { balanceOn, told: before } = found
  const isAlone = await hasNothingNear(ctx, origin, before, statement)
  const merged: Merged = {
    counts: noRows(),
    added: 0,
    balanceOn,
    addedAfter: 0,
    lastDate: '',
    days: statement.days,
    booked: before.booked,
    before: isAlone ? 0 : await claimNumbers(ctx, item.item_id, 0),
    removed: [],
    reported: new Set(),
  }
  const { find = nothing } = answers
  const parts = isAlone ? partsAtOnce.alone : partsAtOnce.compared
  for (let part = 0; ; part += parts) {
    const rows = (await statement.rows(part, parts)).map((row) => categorize(row, find))
    if (rows.length === 0) break
    await mergeRows(ctx, origin, rows, merged, isAlone)
    // The embedded store works in this process, which has health checks to answer.
    await setImmediate()
  }
  await dropUnreported(ctx, origin, statement, merged)
  const booked = await addTold(ctx, origin, before, statement, toDate(ctx.now))
  const { balances, isLive = false } = statement
  const last = isLive ? statement.days.to : undefined
  for (const days of booked) await dropOver(ctx, origin, days, merged, last)
  const { counts, added, removed } = merged
  const isChange = found.hasOtherSigns || added + counts.changed + counts.removed > 0
  await updateBalances(ctx, found, origin, { ...merged, balances, isChange, isLive })
  const changes = { added, modified: counts.changed > 0, removed }
  const { isNew, alike, owners } = found
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
