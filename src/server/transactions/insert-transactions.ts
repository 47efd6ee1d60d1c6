import type { Context } from '../kernel/context.ts'
import type { TransactionSpec } from '../simulation/item-spec.ts'
import { toTransactionDocument } from '../simulation/transaction-document.ts'
import { claimNumbers, insertTransactionRows, type TransactionRow } from './store.ts'

/** A transaction and its account. */
export interface NewTransaction {
  account_id: string
  transaction: TransactionSpec
}

/**
 * Writes transactions in their order, and returns their ids. With `shown` the Item shows them
 * immediately. Otherwise only the institution has them until a pull.
 */
export async function insertTransactions(
  ctx: Context,
  itemId: string,
  transactions: readonly NewTransaction[],
  { shown }: { shown: boolean },
): Promise<string[]> {
  if (transactions.length === 0) return []
  const last = await claimNumbers(ctx, itemId, transactions.length)
  const rows = transactions.map((transaction, index) =>
    toRow(ctx, transaction, { number: last + index + 1, shown }),
  )
  await insertTransactionRows(ctx, itemId, rows)
  return rows.map((row) => row.transaction_id)
}

function toRow(
  ctx: Context,
  { account_id, transaction: spec }: NewTransaction,
  { number, shown }: { number: number; shown: boolean },
): TransactionRow {
  const transaction_id = spec.transaction_id ?? ctx.newId('opaque')
  // The service's base URL may change, so it is added when a transaction is read.
  const place = { account_id, transaction_id, publicUrl: '' }
  const { transaction, categoryV1, original_description } = toTransactionDocument(spec, place)
  const sequence = shown ? number : null
  return {
    transaction_id,
    account_id,
    date: transaction.date,
    pending: transaction.pending ? 1 : 0,
    insertion: number,
    document: JSON.stringify(transaction),
    original_description,
    category_v1: JSON.stringify(categoryV1),
    first_sequence: sequence,
    added_sequence: sequence,
    last_sequence: sequence,
    earlier: null,
    removed: 0,
  }
}
