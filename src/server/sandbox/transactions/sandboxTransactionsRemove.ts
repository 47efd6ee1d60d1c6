import { lockItem, requireItem } from '../../items/store.ts'
import type { Context } from '../../kernel/context.ts'
import type { SandboxRequestOf, SandboxResponseOf } from '../../kernel/operation.ts'
import { removeTransaction } from '../../transactions/change-transactions.ts'
import { announceChanges, noChanges } from '../../transactions/emit-updates.ts'
import type { TransactionRow } from '../../transactions/store.ts'
import { requireTransaction } from './require-transaction.ts'

export async function sandboxTransactionsRemove(
  ctx: Context,
  { body }: SandboxRequestOf<'sandboxTransactionsRemove'>,
): Promise<SandboxResponseOf<'sandboxTransactionsRemove'>> {
  const item = await lockItem(ctx, (await requireItem(ctx, body.access_token)).item_id)
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
