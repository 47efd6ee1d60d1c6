import type { HandlerOf } from '../kernel/operation.ts'
import { toItemDetails, toItemStatus } from './item-details.ts'
import { findLastWebhook } from './item-details-store.ts'
import { requireItem } from './store.ts'

export const itemGet: HandlerOf<'itemGet'> = async (ctx, { body }) => {
  const item = await requireItem(ctx, body.access_token)
  const lastWebhook = await findLastWebhook(ctx, item.item_id)
  return { item: toItemDetails(ctx, item), status: toItemStatus(item, lastWebhook) }
}
itemGet.reads = true
