import type { Context } from '../../kernel/context.ts'
import { invalidField } from '../../kernel/errors.ts'
import { findTransaction, type TransactionRow } from '../../transactions/store.ts'

/** Returns the transaction of the Item that a request field identifies. */
export async function requireTransaction(
  ctx: Context,
  itemId: string,
  transactionId: string,
  field: string,
): Promise<TransactionRow> {
  const row = await findTransaction(ctx, itemId, transactionId)
  if (row) return row
  throw invalidField(`\`${field}\` must name transactions that are on the Item`)
}
