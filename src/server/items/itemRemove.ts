import type { Context } from '../kernel/context.ts'
import { ApiError } from '../kernel/errors.ts'
import type { RequestOf, ResponseOf } from '../kernel/operation.ts'
import { stopDeliveries } from '../queue/webhook-store.ts'
import { requireItem, updateItem } from './store.ts'

export async function itemRemove(
  ctx: Context,
  { body }: RequestOf<'itemRemove'>,
): Promise<ResponseOf<'itemRemove'>> {
  const { item_id } = await requireItem(ctx, body.access_token)
  const removed = await updateItem(ctx, item_id, {
    removed_at: ctx.now,
    removal_reason_code: body.reason_code ?? null,
    removal_reason_note: body.reason_note ?? null,
  })
  if (!removed) throw new ApiError('ITEM_CONCURRENTLY_DELETED')
  await stopDeliveries(ctx, item_id)
  return {}
}
