import { addDays } from '../kernel/time.ts'
import { type AddedRow, type Batch, count, noteKey, post, replace } from './batch.ts'
import { formOf } from './forms.ts'
import { findMatches, type Match, windowDays } from './matches.ts'
import { referenceKeys } from './row-key.ts'
import type { StagedRow } from './source-file.ts'

/** Decides what the rows of a batch are that their origin has not told before: another one may have. */
export async function settleRows(batch: Batch): Promise<void> {
  const { ctx, origin, near, added } = batch
  const rows = [...added.values()]
    .filter(({ isOpen }) => isOpen)
    .map((one) => ({
      ...one,
      form: formOf(one.row, origin.isIntraday),
      isPosting: one.pending !== undefined,
      references: near.length === 0 ? [] : referenceKeys(ctx.keys, one.row),
    }))
  const matches = findMatches(rows, near)
  for (const row of rows) await settle(batch, row, matches.get(row))
}

async function settle(batch: Batch, { row, key, pending }: AddedRow, match: Match | undefined) {
  if (match?.isDoubtful) count(batch, 'doubtful')
  const found = match?.found
  if (found && found.pending === 1 && row.status === 'posted') return post(batch, row, found, key)
  if (found?.pending === 0 && row.status === 'pending') {
    // No key is noted: which booking it has become is sure only when its own row is told as posted.
    batch.added.delete(key)
    return count(batch, 'known')
  }
  if (pending && !found) return post(batch, row, pending, key)
  if (found) {
    if (pending) await replace(batch, pending)
    batch.added.delete(key)
    noteKey(batch, row, key, found)
    if (row.status === 'pending') batch.merged.reported.add(found.transaction_id)
    return count(batch, 'merged')
  }
  if (batch.origin.isExact || !isOver(batch, row)) return count(batch, 'new')
  batch.added.delete(key)
  count(batch, 'known')
}

/** Whether later statements have told already what became of a pending row. */
const isOver = ({ merged: { booked, days } }: Batch, { status, date }: StagedRow): boolean =>
  status === 'pending' &&
  booked.some(({ from, to }) => date >= from && days.to < to && addDays(date, windowDays) < to)
