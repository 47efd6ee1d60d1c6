import { toHealthColumns } from '../../fixtures/insert-item.ts'
import { lockItem, requireItem, updateItem } from '../../items/store.ts'
import type { Context } from '../../kernel/context.ts'
import type { SandboxRequestOf, SandboxResponseOf } from '../../kernel/operation.ts'

export async function sandboxItemSetHealth(
  ctx: Context,
  { body }: SandboxRequestOf<'sandboxItemSetHealth'>,
): Promise<SandboxResponseOf<'sandboxItemSetHealth'>> {
  const { item_id } = await requireItem(ctx, body.access_token)
  await lockItem(ctx, item_id)
  const { error_code, error_code_reason = null, products = null } = body
  const error = error_code === null ? null : { error_code, error_code_reason, products }
  await updateItem(ctx, item_id, toHealthColumns(error))
  return {}
}
