import type { Context } from '../kernel/context.ts'
import { addDays } from '../kernel/time.ts'
import {
  isChange,
  modifyTransaction,
  removeTransaction,
  type TransactionChange,
} from '../transactions/change-transactions.ts'
import { findEver, type TransactionRow } from '../transactions/store.ts'
import { readDocument } from '../transactions/transaction.ts'
import {
  addRow,
  type Batch,
  correctedBy,
  count,
  type Merged,
  noteKey,
  openBatch,
  repeat,
  withdrawn,
  writeBatch,
} from './batch.ts'
import { describe } from './describe.ts'
import { formOf, isOfStatement } from './forms.ts'
import { windowDays } from './matches.ts'
import { mergeExact } from './merge-exact.ts'
import { contentOf, keyOfId, keysOf, type RowKeys } from './row-key.ts'
import { settleRows } from './settle-rows.ts'
import type { StagedRow } from './source-file.ts'
import type { Origin, SourceRow } from './store.ts'
import { amountOf } from './to-transaction-spec.ts'

/**
 * Makes rows of a source the transactions of an account. `alone` says that no transaction of the
 * account is pending or of another origin, so that none has to be compared.
 */
export async function mergeRows(
  ctx: Context,
  origin: Origin,
  rows: readonly StagedRow[],
  merged: Merged,
  alone: boolean,
): Promise<void> {
  // A correction may be of a row before it, which has to be stored then.
  const cuts = rows.flatMap((row, index) => (correctedBy(row) === undefined ? [] : [index]))
  for (const [index, from] of [0, ...cuts].entries()) {
    await mergeBatch(ctx, origin, rows.slice(from, cuts[index]), merged, alone)
  }
}

async function mergeBatch(
  ctx: Context,
  origin: Origin,
  rows: readonly StagedRow[],
  merged: Merged,
  alone: boolean,
): Promise<void> {
  if (rows.length === 0) return
  const keyed = rows.map((row) => ({ row, keys: keysOf(ctx.keys, row) }))
  const batch = await openBatch(ctx, origin, keyed, merged, alone)
  for (const { row, keys } of keyed) {
    const work = origin.isExact ? mergeExact(batch, row, keys.plain) : mergeRow(batch, row, keys)
    if (work) await work
  }
  await settleRows(batch)
  await writeBatch(batch)
}

/** Undefined where the work is done: most rows need no statement, and a promise each is a lot of garbage. */
type Work = Promise<void> | undefined

function mergeRow(batch: Batch, row: StagedRow, keys: RowKeys): Work {
  const { merged } = batch
  if (row.status === 'posted' && row.date > merged.lastDate) merged.lastDate = row.date
  const corrected = correctedBy(row)
  if (corrected === undefined) return mergeBooking(batch, row, keys)
  return correct(batch, row, keys, keyOfId(batch.ctx.keys, corrected))
}

function mergeBooking(batch: Batch, row: StagedRow, keys: RowKeys): Work {
  const added = batch.added.get(keys.usual)
  if (added) return void repeat(batch, row, added)
  const known = findKnown(batch, row, keys)
  if (!known) return void addRow(batch, row, keys.usual, true)
  if (known.transaction_id === withdrawn) return void count(batch, 'known')
  if (known.content === contentOf(batch.ctx.keys, row)) return void noteKnown(batch, row, known)
  return mergeChanged(batch, row, keys, known)
}

/** A row that says something else than before under its key. */
async function mergeChanged(
  batch: Batch,
  row: StagedRow,
  keys: RowKeys,
  known: SourceRow,
): Promise<void> {
  const found = await requireTransaction(batch, known)
  if (isPostedSince(row, found) || isOlder(batch, row, known, found)) return count(batch, 'known')
  if (isSame(batch, row, found) || found.pending === 1 || known.row_key === keys.exact) {
    return mergeKnown(batch, row, known.row_key, found)
  }
  // The bank gives an id a second time: both bookings stand.
  count(batch, 'doubtful')
  addRow(batch, row, keys.exact, false)
}

/** Whether a row is what a booking was while it was pending. */
const isPostedSince = ({ status, date }: StagedRow, found: TransactionRow): boolean =>
  status === 'pending' &&
  found.pending === 0 &&
  found.date >= date &&
  found.date <= addDays(date, windowDays)

/** Whether a report of the day tells what a statement has told: the words of the statement count. */
const isOlder = (batch: Batch, row: StagedRow, known: SourceRow, found: TransactionRow): boolean =>
  batch.origin.isIntraday && isOfStatement(known.form) && isSame(batch, row, found)

/** Whether a bank that tells an id again means the same booking: a day of the statement would show both. */
function isSame({ merged: { days } }: Batch, row: StagedRow, found: TransactionRow): boolean {
  if (found.date === row.date) return true
  const isTold = found.date >= days.from && found.date <= days.to
  return isTold && readDocument(found).amount === amountOf(row)
}

/** What a row has been before: also the first booking of an id that its file gives to several. */
function findKnown({ ctx, known }: Batch, row: StagedRow, keys: RowKeys): SourceRow | undefined {
  const plain = known.get(keys.plain)
  const isPlain = plain?.content === contentOf(ctx.keys, row)
  return known.get(keys.exact) ?? known.get(keys.usual) ?? (isPlain ? plain : undefined)
}

async function requireTransaction({ ctx, origin }: Batch, known: SourceRow) {
  const found = await findEver(ctx, origin.item_id, known.transaction_id)
  if (!found) throw new Error('a key of a source stands for no transaction')
  return found
}

/** A row that says what it has said before. */
function noteKnown(batch: Batch, row: StagedRow, known: SourceRow): void {
  if (row.status === 'pending') batch.merged.reported.add(known.transaction_id)
  const form = formOf(row, batch.origin.isIntraday)
  if ((known.form & form) === 0) batch.noted.set(known.row_key, { ...known, form })
  count(batch, 'known')
}

/** A correction of OFX: replaces or withdraws the row with another id. */
async function correct(
  batch: Batch,
  row: StagedRow,
  keys: RowKeys,
  corrected: string,
): Promise<void> {
  const { ctx, origin, merged } = batch
  const isWithdrawal = row.references?.['correction'] === 'DELETE'
  const old = batch.known.get(corrected)
  if (!old || old.transaction_id === withdrawn) {
    // The file with the row itself may come later.
    const form = formOf(row, origin.isIntraday)
    batch.noted.set(corrected, { row_key: corrected, transaction_id: withdrawn, content: '', form })
    return isWithdrawal ? count(batch, 'known') : mergeBooking(batch, row, keys)
  }
  const found = await requireTransaction(batch, old)
  if (!isWithdrawal) return mergeKnown(batch, row, keys.usual, found)
  noteKey(batch, row, keys.usual, found)
  if (found.removed === 1) return count(batch, 'known')
  if (await removeTransaction(ctx, origin.item_id, found)) merged.removed.push(found.transaction_id)
  count(batch, 'removed')
}

/** A row whose transaction is there: what the source says of it now counts. */
async function mergeKnown(
  batch: Batch,
  row: StagedRow,
  key: string,
  found: TransactionRow,
): Promise<void> {
  const { ctx, origin, merged } = batch
  if (row.status === 'pending') merged.reported.add(found.transaction_id)
  // A statement lacked it while it was pending; another origin may have told it since.
  if (found.removed === 1 && found.pending === 1 && row.status === 'posted') {
    return addRow(batch, row, key, true)
  }
  // An earlier file may still call pending what has been posted since.
  if (found.removed === 1 || (found.pending === 0 && row.status === 'pending')) {
    return count(batch, 'known')
  }
  // Another origin, or another form, may have told already that it is posted.
  if (found.pending === 1 && row.status === 'posted') return addRow(batch, row, key, true, found)
  noteKey(batch, row, key, found)
  const change: TransactionChange = {
    amount: amountOf(row),
    date: row.date,
    ...(row.description === found.original_description
      ? {}
      : { description: row.description, name: describe(row).name }),
  }
  if (!isChange(found, change)) return count(batch, 'known')
  await modifyTransaction(ctx, origin.item_id, found, change)
  count(batch, 'changed')
}
