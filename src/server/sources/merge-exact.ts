import type { Context } from '../kernel/context.ts'
import {
  isChange,
  modifyTransaction,
  removeTransaction,
  type TransactionChange,
} from '../transactions/change-transactions.ts'
import { findEver, type TransactionRow } from '../transactions/store.ts'
import { addRow, type Batch, count, type Merged, noteKey, repeat } from './batch.ts'
import { contentOf, keyOfId } from './row-key.ts'
import type { StagedRow } from './source-file.ts'
import { listKnown, type Origin, putSourceRows, type SourceRow } from './store.ts'
import { amountOf } from './to-transaction-spec.ts'

/** Merges a row whose id alone says which transaction it is. */
export async function mergeExact(batch: Batch, row: StagedRow, key: string): Promise<void> {
  const added = batch.added.get(key)
  if (added) return repeat(batch, row, added)
  const known = batch.known.get(key)
  const isSame = known?.content === contentOf(batch.ctx.keys, row)
  if (isSame && row.status === 'posted') return count(batch, 'known')
  const found = known && (await findOf(batch, known))
  // What was removed, and is there again, becomes a new transaction.
  if (!found || found.removed === 1) {
    return addRow(batch, row, key, true, await findReplaced(batch, row))
  }
  if (row.status === 'pending') batch.merged.reported.add(found.transaction_id)
  if (isSame) return count(batch, 'known')
  if (found.pending === 1 && row.status === 'posted') return addRow(batch, row, key, true, found)
  noteKey(batch, row, key, found)
  return change(batch, row, found)
}

const findOf = ({ ctx, origin }: Batch, { transaction_id }: SourceRow) =>
  findEver(ctx, origin.item_id, transaction_id)

/** The pending transaction that the source says a row was. */
async function findReplaced(
  batch: Batch,
  { status, replaces }: StagedRow,
): Promise<TransactionRow | undefined> {
  if (status === 'pending' || replaces === undefined) return undefined
  const known = batch.known.get(keyOfId(batch.ctx.keys, replaces))
  const found = known && (await findOf(batch, known))
  return found?.pending === 1 ? found : undefined
}

async function change(batch: Batch, row: StagedRow, found: TransactionRow): Promise<void> {
  const { ctx, origin } = batch
  const { status, date, description, details } = row
  const changed: TransactionChange = {
    ...{ amount: amountOf(row), date, pending: status === 'pending', description, details },
  }
  if (!isChange(found, changed)) return count(batch, 'known')
  await modifyTransaction(ctx, origin.item_id, found, changed)
  count(batch, 'changed')
}

/** After so many keys the statement of their search begins again. */
const keysAtOnce = 256

/** Removes what the source says is gone. */
export async function removeTold(
  ctx: Context,
  origin: Origin,
  ids: readonly string[],
  merged: Merged,
): Promise<void> {
  for (let from = 0; from < ids.length; from += keysAtOnce) {
    const keys = ids.slice(from, from + keysAtOnce).map((id) => keyOfId(ctx.keys, id))
    const known = await listKnown(ctx, origin, keys)
    for (const { transaction_id } of known) {
      const found = await findEver(ctx, origin.item_id, transaction_id)
      if (!found || found.removed === 1) continue
      if (await removeTransaction(ctx, origin.item_id, found)) merged.removed.push(transaction_id)
      merged.counts.removed += 1
    }
    // The same row may come back, and is then no longer what it was.
    await putSourceRows(
      ctx,
      origin,
      known.map((row) => ({ ...row, content: '' })),
    )
  }
}
