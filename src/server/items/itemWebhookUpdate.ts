import { checkWebhook } from '../kernel/check-webhook.ts'
import type { HandlerOf } from '../kernel/operation.ts'
import { stopDeliveries } from '../queue/webhook-store.ts'
import { toItemDetails } from './item-details.ts'
import { lockItemOf, updateItem } from './store.ts'

export const itemWebhookUpdate: HandlerOf<'itemWebhookUpdate'> = async (ctx, { body }) => {
  const { webhook } = body
  checkWebhook(ctx, webhook)
  const item = await lockItemOf(ctx, body.access_token)
  const { item_id } = item
  await updateItem(ctx, item_id, { webhook })
  if (webhook === null) {
    await stopDeliveries(ctx, item_id)
  } else {
    const fields = { item_id, new_webhook_url: webhook, error: null }
    await ctx.emit('ITEM.WEBHOOK_UPDATE_ACKNOWLEDGED', fields, { url: webhook, item_id })
  }
  return { item: toItemDetails(ctx, { ...item, webhook }) }
}
