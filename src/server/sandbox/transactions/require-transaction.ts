import type { Context } from '../../kernel/context.ts'
import { ApiError } from '../../kernel/errors.ts'
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
  const message = `\`${field}\` must name transactions that are on the Item`
  throw new ApiError('INVALID_FIELD', { message })
}
