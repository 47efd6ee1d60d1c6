import { lockItemOf } from '../../items/store.ts'
import type { HandlerOf } from '../../kernel/operation.ts'
import { setStatus } from '../../transactions/status.ts'

export const sandboxTransactionsSetStatus: HandlerOf<'sandboxTransactionsSetStatus'> = async (
  ctx,
  { body },
) => {
  const item = await lockItemOf(ctx, body.access_token)
  await setStatus(ctx, item, body.transactions_update_status)
  return {}
}
