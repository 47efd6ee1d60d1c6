import type { TransactionDetails } from '../../statements/statement.ts'
import type { Context } from '../kernel/context.ts'
import { listShown } from './pull-store.ts'
import { claimNumbers, insertTransaction, type TransactionRow, updateTransaction } from './store.ts'
import { isShown, readDocument, readEarlier } from './transaction.ts'

/** The fields of a transaction that can change. */
export interface TransactionChange {
  amount?: number | undefined
  /** The text of the bank. */
  description?: string | undefined
  /** What people call it; the text of the bank where it is left out. */
  name?: string
  date?: string | undefined
  pending?: boolean | undefined
  /** Other fields, as a source with this API tells them. */
  details?: TransactionDetails | undefined
}

/** Removes a transaction permanently. Returns whether the Item had shown it. */
export async function removeTransaction(
  ctx: Context,
  itemId: string,
  row: TransactionRow,
): Promise<boolean> {
  await updateTransaction(ctx, itemId, { ...(await changed(ctx, itemId, row)), removed: 1 })
  return isShown(row)
}

/** Hides transactions that are dated before a day, or all, as if they had not been pulled yet. */
export async function hideTransactions(
  ctx: Context,
  itemId: string,
  before: string | null,
): Promise<void> {
  const rows = await listShown(ctx, itemId, before)
  const last = await claimNumbers(ctx, itemId, rows.length)
  for (const [index, row] of rows.entries()) {
    const last_sequence = last + index + 1
    const earlier = [...readEarlier(row), [row.added_sequence, last_sequence]]
    await updateTransaction(ctx, itemId, {
      ...row,
      last_sequence,
      added_sequence: null,
      earlier: JSON.stringify(earlier),
    })
  }
}

/** Changes a transaction without changing its id. */
export async function modifyTransaction(
  ctx: Context,
  itemId: string,
  row: TransactionRow,
  change: TransactionChange,
): Promise<void> {
  await updateTransaction(ctx, itemId, applyChange(await changed(ctx, itemId, row), change))
}

/** Replaces a pending transaction by a posted one. Returns the new id. */
export async function postTransaction(
  ctx: Context,
  itemId: string,
  row: TransactionRow,
  change: TransactionChange,
): Promise<string> {
  const wasShown = await removeTransaction(ctx, itemId, row)
  const insertion = (await claimNumbers(ctx, itemId, 1)) + 1
  const sequence = wasShown ? insertion : null
  const posted = applyChange(row, { ...change, pending: false })
  const transaction_id = ctx.newId('opaque')
  const document = {
    ...readDocument(posted),
    transaction_id,
    pending_transaction_id: wasShown ? row.transaction_id : null,
  }
  await insertTransaction(ctx, itemId, {
    ...posted,
    transaction_id,
    insertion,
    document: JSON.stringify(document),
    first_sequence: sequence,
    added_sequence: sequence,
    last_sequence: sequence,
    earlier: null,
  })
  return transaction_id
}

/** The row with the number of a new change. A hidden row gets no number. */
async function changed(ctx: Context, itemId: string, row: TransactionRow): Promise<TransactionRow> {
  if (!isShown(row)) return row
  return { ...row, last_sequence: (await claimNumbers(ctx, itemId, 1)) + 1 }
}

function applyChange(row: TransactionRow, change: TransactionChange): TransactionRow {
  const document = readDocument(row)
  const { amount = document.amount, date = row.date, pending = row.pending === 1 } = change
  const { original_description: _, ...details } = change.details ?? {}
  const name = change.name ?? details.name ?? change.description ?? document.name
  // A pending transaction never replaces another one.
  const replaced = pending ? null : document.pending_transaction_id
  const next = {
    ...document,
    ...details,
    amount,
    date,
    pending,
    name,
    pending_transaction_id: replaced,
  }
  return {
    ...row,
    date,
    pending: pending ? 1 : 0,
    document: JSON.stringify(next),
    original_description: change.description ?? row.original_description,
  }
}

/** Whether a change would alter anything. */
export function isChange(row: TransactionRow, change: TransactionChange): boolean {
  const next = applyChange(row, change)
  return next.document !== row.document || next.original_description !== row.original_description
}
