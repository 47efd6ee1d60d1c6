import { setImmediate } from 'node:timers/promises'
import type { AccountRow } from '../items/account-store.ts'
import type { ItemRow } from '../items/store.ts'
import type { Context } from '../kernel/context.ts'
import { fromDecimal } from '../kernel/money.ts'
import { addDays, toDate } from '../kernel/time.ts'
import { removeTransaction } from '../transactions/change-transactions.ts'
import type { ShownChanges } from '../transactions/emit-updates.ts'
import { claimNumbers } from '../transactions/store.ts'
import type { Merged } from './batch.ts'
import { toCurrency } from './currency.ts'
import { isOneForm } from './forms.ts'
import { windowDays } from './matches.ts'
import { mergeRows } from './merge-rows.ts'
import { findOrMakeAccount, updateBalances } from './source-account.ts'
import {
  type AccountAnswers,
  noRows,
  RejectedStatement,
  type RowCounts,
  type SourceStatement,
} from './source-file.ts'
import { hasOthers, listPending, type NearRow, type Origin } from './store.ts'
import { addTold, type Days, type Told } from './told.ts'

/** What a statement did to its account. */
export interface CommittedStatement {
  account_id: string
  name: string
  isNew: boolean
  /** The account that a new one may be. */
  alike?: string | undefined
  counts: RowCounts
  changes: ShownChanges
}

/** What rows are compared with is read for all of them together. */
const partsAtOnce = { alone: 1, compared: 8 }

/** Makes a statement the Item's: its account, its rows and its balances, in the caller's transaction. */
export async function commitStatement(
  ctx: Context,
  item: ItemRow,
  statement: SourceStatement,
  answers: AccountAnswers,
): Promise<CommittedStatement> {
  // Before anything of it is written, since what is rejected leaves nothing.
  for (const currency of statement.currencies) toCurrency(currency)
  const found = await findOrMakeAccount(ctx, item, statement, answers)
  rejectTooLarge(found.account, statement)
  const { account_id, account_key, name } = found.account
  const origin: Origin = {
    item_id: item.item_id,
    account_key,
    account_id,
    origin: statement.origin,
    isIntraday: statement.isIntraday,
  }
  const { balanceOn, told } = found
  const isAlone = await hasNothingNear(ctx, origin, told, statement)
  const merged: Merged = {
    counts: noRows(),
    added: 0,
    balanceOn,
    addedAfter: 0,
    lastDate: '',
    days: statement.days,
    booked: told.booked,
    before: isAlone ? 0 : await claimNumbers(ctx, item.item_id, 0),
    removed: [],
    reported: new Set(),
  }
  const parts = isAlone ? partsAtOnce.alone : partsAtOnce.compared
  for (let part = 0; ; part += parts) {
    const rows = await statement.rows(part, parts)
    if (rows.length === 0) break
    await mergeRows(ctx, origin, rows, merged, isAlone)
    // The embedded store works in this process, which has health checks to answer.
    await setImmediate()
  }
  await dropUnreported(ctx, origin, statement, merged)
  const booked = await addTold(ctx, origin, told, statement, toDate(ctx.now))
  for (const days of booked) await dropOver(ctx, origin, days, merged)
  const { counts, added, removed } = merged
  const isChange = added + counts.changed + counts.removed > 0
  await updateBalances(ctx, found, origin, { ...merged, balances: statement.balances, isChange })
  const changes = { added, modified: counts.changed > 0, removed }
  const { isNew, alike } = found
  return { account_id, name, isNew, alike, counts, changes }
}

/** Databases and JSON hold whole numbers up to this exactly. */
function rejectTooLarge({ current }: AccountRow, { balances, turnover }: SourceStatement): void {
  const told = balances.map(({ amount }) => Math.abs(fromDecimal(amount)))
  const most = Math.abs(current) + turnover + Math.max(0, ...told)
  if (most < Number.MAX_SAFE_INTEGER) return
  throw new RejectedStatement('its balance would be larger than can be kept')
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

/** A pending transaction also goes when statements tell all days in which it could be posted. */
async function dropOver(ctx: Context, origin: Origin, { from, to }: Days, merged: Merged) {
  const over = { from, to: addDays(to, -windowDays - 1) }
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
