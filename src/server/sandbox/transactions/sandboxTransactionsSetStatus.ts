import { lockItem, requireItem } from '../../items/store.ts'
import type { Context } from '../../kernel/context.ts'
import type { SandboxRequestOf, SandboxResponseOf } from '../../kernel/operation.ts'
import { setStatus } from '../../transactions/status.ts'

export async function sandboxTransactionsSetStatus(
  ctx: Context,
  { body }: SandboxRequestOf<'sandboxTransactionsSetStatus'>,
): Promise<SandboxResponseOf<'sandboxTransactionsSetStatus'>> {
  const item = await lockItem(ctx, (await requireItem(ctx, body.access_token)).item_id)
  await setStatus(ctx, item, body.transactions_update_status)
  return {}
}
