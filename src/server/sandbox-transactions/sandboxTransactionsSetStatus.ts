import type { Context } from '../context.ts'
import { requireItem } from '../items/store.ts'
import type { SandboxRequestOf, SandboxResponseOf } from '../operation.ts'
import { setStatus } from '../transactions/status.ts'

export async function sandboxTransactionsSetStatus(
  ctx: Context,
  { body }: SandboxRequestOf<'sandboxTransactionsSetStatus'>,
): Promise<SandboxResponseOf<'sandboxTransactionsSetStatus'>> {
  const item = await requireItem(ctx, body.access_token)
  await setStatus(ctx, item, body.transactions_update_status)
  return {}
}
