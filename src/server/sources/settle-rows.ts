import { addDays } from '../kernel/time.ts'
import { type AddedRow, type Batch, count, noteKey, post } from './batch.ts'
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
      references: near.length === 0 ? [] : referenceKeys(ctx.keys, one.row),
    }))
  const matches = findMatches(rows, near)
  for (const row of rows) await settle(batch, row, matches.get(row))
}

async function settle(batch: Batch, { row, key }: AddedRow, match: Match | undefined) {
  if (match?.isDoubtful) count(batch, 'doubtful')
  const found = match?.found
  if (found && found.pending === 1 && row.status === 'posted') return post(batch, row, found, key)
  if (found) {
    batch.added.delete(key)
    noteKey(batch, row, key, found)
    if (row.status === 'pending') batch.merged.reported.add(found.transaction_id)
    return count(batch, 'merged')
  }
  if (!isOver(batch, row)) return count(batch, 'new')
  batch.added.delete(key)
  count(batch, 'known')
}

/** Whether later statements have told already what became of a pending row. */
const isOver = ({ merged: { booked, days } }: Batch, { status, date }: StagedRow): boolean =>
  status === 'pending' &&
  booked !== null &&
  date >= booked.from &&
  days.to < booked.to &&
  addDays(date, windowDays) < booked.to
