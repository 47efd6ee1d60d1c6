import type { Context } from '../kernel/context.ts'
import { dayMs } from '../kernel/time.ts'
import type { ItemRow } from './store.ts'

/** How long before the end of an Item's consent the webhook is sent. */
const noticeMs = 7 * dayMs
/** Times are told in whole seconds. */
const slackMs = 1000

type Consented = Pick<ItemRow, 'item_id' | 'consent_expiration_time' | 'removed_at'>

/** Schedules the webhook about the end of a consent. If the consent ends sooner, it is sent at once. */
export async function planExpirationNotice(ctx: Context, item: Consented): Promise<void> {
  const { item_id, consent_expiration_time, removed_at } = item
  if (consent_expiration_time === null || removed_at !== null) return
  const left = Date.parse(consent_expiration_time) - Date.parse(ctx.now)
  if (left <= 0) return
  await ctx.schedule('itemExpirationNotice', { item_id }, Math.max(0, left - noticeMs))
}

/** Tells that the consent of an Item ends soon. */
export async function sendExpirationNotice(ctx: Context, item: ItemRow): Promise<void> {
  const { item_id, webhook, consent_expiration_time, removed_at } = item
  if (consent_expiration_time === null || removed_at !== null) return
  // The user may have renewed the consent since. The renewal has scheduled its own notice.
  const left = Date.parse(consent_expiration_time) - Date.parse(ctx.now)
  if (left > noticeMs + slackMs || left <= 0) return
  const fields = { item_id, consent_expiration_time }
  await ctx.emit('ITEM.PENDING_EXPIRATION', fields, { url: webhook, item_id })
}
