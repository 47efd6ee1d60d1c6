import { lockItemOf } from '../../items/store.ts'
import type { HandlerOf } from '../../kernel/operation.ts'
import { removeTransaction } from '../../transactions/change-transactions.ts'
import { announceChanges, noChanges } from '../../transactions/emit-updates.ts'
import type { TransactionRow } from '../../transactions/store.ts'
import { requireTransaction } from './require-transaction.ts'

export const sandboxTransactionsRemove: HandlerOf<'sandboxTransactionsRemove'> = async (
  ctx,
  { body },
) => {
  const item = await lockItemOf(ctx, body.access_token)
  const rows: TransactionRow[] = []
  for (const id of new Set(body.transaction_ids)) {
    rows.push(await requireTransaction(ctx, item.item_id, id, 'transaction_ids'))
  }
  const removed: string[] = []
  for (const row of rows) {
    if (await removeTransaction(ctx, item.item_id, row)) removed.push(row.transaction_id)
  }
  await announceChanges(ctx, item, { ...noChanges(), removed })
  return {}
}
