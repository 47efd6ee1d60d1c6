import type { Context } from '../kernel/context.ts'
import { fromDecimal } from '../kernel/money.ts'
import { addDays } from '../kernel/time.ts'
import { removeTransaction } from '../transactions/change-transactions.ts'
import { insertTransactions } from '../transactions/insert-transactions.ts'
import type { TransactionRow } from '../transactions/store.ts'
import { formOf } from './forms.ts'
import { type NearTransaction, windowDays } from './matches.ts'
import { listNearTransactions } from './near-transactions.ts'
import { contentOf, keyOfId, type RowKeys, referenceKeys } from './row-key.ts'
import type { RowCounts, StagedRow } from './source-file.ts'
import { listKnown, type Origin, ofReferences, putSourceRows, type SourceRow } from './store.ts'
import { toTransactionSpec } from './to-transaction-spec.ts'
import type { Days } from './told.ts'

/** What the rows of a statement have changed so far. */
export interface Merged {
  counts: RowCounts
  /** How many transactions are new, those that replace a pending one included. */
  added: number
  /** The day of the balance that the account shows; null where it shows none yet. */
  balanceOn: string | null
  /** What the new posted transactions after that day add up to, in minor units. */
  addedAfter: number
  /** The last day of its posted rows; empty where there is none. */
  lastDate: string
  /** The days that the statement tells of. */
  days: { from: string; to: string }
  /** The days of which statements had told all bookings before it. */
  booked: readonly Days[]
  /** The number of the last change before it. */
  before: number
  /** The ids of the removed transactions that the Item had shown. */
  removed: string[]
  /** The pending transactions that the source has told. */
  reported: Set<string>
}

/** A row that becomes a transaction, under which key, and the pending one that it replaces. */
export interface AddedRow {
  row: StagedRow
  key: string
  replaces: string | null
  /** Whether it may turn out to be a transaction that is there. */
  isOpen: boolean
  /** The pending transaction that has its key, which it replaces. */
  pending?: TransactionRow | undefined
}

/** In place of a transaction, where a correction came before its row. */
export const withdrawn = ''

/** What a batch of rows is merged with. */
export interface Batch {
  ctx: Context
  origin: Origin
  merged: Merged
  known: Map<string, SourceRow>
  /** The transactions that rows without a known key may stand for. */
  near: readonly NearTransaction[]
  /** By key. */
  added: Map<string, AddedRow>
  /** What keys stand for from now on. */
  noted: Map<string, SourceRow>
  /** What references of pending rows stand for from now on. */
  referred: Map<string, SourceRow>
}

/** Reads what the rows of a batch may stand for. */
export async function openBatch(
  ctx: Context,
  origin: Origin,
  keyed: readonly { row: StagedRow; keys: RowKeys }[],
  merged: Merged,
  alone: boolean,
): Promise<Batch> {
  const rows = keyed.map(({ row }) => row)
  const corrected = rows.flatMap((row) => correctedBy(row) ?? []).map((id) => keyOfId(ctx.keys, id))
  const replaced = rows.flatMap(({ replaces }) => replaces ?? []).map((id) => keyOfId(ctx.keys, id))
  const own = keyed.flatMap(({ keys }) => Object.values(keys))
  const asked = new Set([...own, ...corrected, ...replaced])
  const known = await listKnown(ctx, origin, [...asked])
  const told = new Set(known.map(({ transaction_id }) => transaction_id))
  const search = { days: daysOf(rows), before: merged.before, told }
  const near = alone ? [] : await listNearTransactions(ctx, origin, rows, search)
  return {
    ctx,
    origin,
    merged,
    known: new Map(known.map((row) => [row.row_key, row])),
    // What exact ids have told already is no other row, however alike it is.
    near: origin.isExact ? near.filter(({ row }) => row.forms === 0) : near,
    added: new Map(),
    noted: new Map(),
    referred: new Map(),
  }
}

/** The id of the row that a correction of OFX is about. */
export const correctedBy = ({ references }: StagedRow): string | undefined =>
  references?.['corrects']

/** The days in which a row may find its other form. */
function daysOf(rows: readonly StagedRow[]): { from: string; to: string } {
  const dates = rows.map(({ date }) => date).sort()
  const [first = '', last = first] = [dates[0], dates.at(-1)]
  return { from: addDays(first, -windowDays), to: addDays(last, windowDays) }
}

/** A row that its statement has told already: what is posted by now counts. */
export function repeat(batch: Batch, row: StagedRow, added: AddedRow): void {
  if (row.status === 'posted') added.row = row
  count(batch, 'known')
}

/** Adds a row. An open one is only counted when it is known what it stands for. */
export function addRow(
  batch: Batch,
  row: StagedRow,
  key: string,
  isOpen: boolean,
  pending?: TransactionRow,
): void {
  const added = batch.added.get(key)
  if (added) repeat(batch, row, added)
  else batch.added.set(key, { row, key, replaces: null, isOpen, pending })
  if (!added && !isOpen) count(batch, 'new')
}

/** Removes a transaction of which something else is told by now. */
export async function replace({ ctx, origin, merged }: Batch, row: TransactionRow): Promise<void> {
  if (await removeTransaction(ctx, origin.item_id, row)) merged.removed.push(row.transaction_id)
}

/** Adds a row in place of the pending transaction that it was. */
export async function post(batch: Batch, row: StagedRow, pending: TransactionRow, key: string) {
  await replace(batch, pending)
  batch.added.set(key, { row, key, replaces: pending.transaction_id, isOpen: false })
  count(batch, 'merged')
}

/** Says that a key stands for a transaction from now on, and what its row has said. */
export function noteKey(
  batch: Batch,
  row: StagedRow,
  row_key: string,
  found: TransactionRow,
): void {
  const noted = toSourceRow(batch, row, row_key, found.transaction_id)
  batch.noted.set(row_key, noted)
  batch.known.set(row_key, noted)
}

/** What a key stands for. The references of a pending row find it again when it is posted. */
function toSourceRow(batch: Batch, row: StagedRow, row_key: string, transaction_id: string) {
  const { ctx, origin, referred } = batch
  const form = formOf(row, origin.isIntraday)
  for (const key of row.status === 'pending' ? referenceKeys(ctx.keys, row) : []) {
    referred.set(key, { row_key: key, transaction_id, content: '', form })
  }
  return { row_key, transaction_id, content: contentOf(ctx.keys, row), form }
}

/** Writes the new transactions of a batch, and what keys stand for. */
export async function writeBatch(batch: Batch): Promise<void> {
  const { ctx, origin, merged, added, noted, referred } = batch
  const all = [...added.values()]
  const { account_id } = origin
  const transactions = all.map(({ row, replaces }) => ({
    account_id,
    transaction: { ...toTransactionSpec(row), pending_transaction_id: replaces },
  }))
  const ids = await insertTransactions(ctx, origin.item_id, transactions, { shown: true })
  for (const [index, { row, key }] of all.entries()) {
    const transaction_id = ids[index] ?? ''
    noted.set(key, toSourceRow(batch, row, key, transaction_id))
    merged.added += 1
    if (row.status === 'pending') merged.reported.add(transaction_id)
    else if (merged.balanceOn === null || row.date > merged.balanceOn) {
      merged.addedAfter += fromDecimal(row.amount)
    }
  }
  await putSourceRows(ctx, origin, [...noted.values()])
  await putSourceRows(ctx, { ...origin, origin: ofReferences }, [...referred.values()])
}

export const count = ({ merged }: Batch, name: keyof RowCounts): void => {
  merged.counts[name] += 1
}
