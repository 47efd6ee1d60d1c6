import { lockItemOf } from '../../items/store.ts'
import type { HandlerOf } from '../../kernel/operation.ts'
import { createTransactions } from './create-transactions.ts'

export const sandboxTransactionsCreate: HandlerOf<'sandboxTransactionsCreate'> = async (
  ctx,
  { body },
) => {
  const item = await lockItemOf(ctx, body.access_token)
  return { transaction_ids: await createTransactions(ctx, item, body.transactions) }
}
