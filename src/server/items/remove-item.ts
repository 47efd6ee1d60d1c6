import type { Context } from '../kernel/context.ts'
import { findProtocol } from '../protocols/protocols.ts'
import { deletePull, findPull, planRevocation } from '../queue/pull-store.ts'
import { stopDeliveries } from '../queue/webhook-store.ts'
import { updateItem } from './store.ts'

/** Removes an Item, cancels its webhooks, and forgets what its source let the service in with. Returns false if it was removed before. */
export async function removeItem(
  ctx: Context,
  itemId: string,
  reason: { code: string | null; note: string | null },
): Promise<boolean> {
  const removed = await updateItem(ctx, itemId, {
    removed_at: ctx.now,
    removal_reason_code: reason.code,
    removal_reason_note: reason.note,
  })
  if (!removed) return false
  await stopDeliveries(ctx, itemId)
  await endPulls(ctx, itemId)
  return true
}

/** A connector that can revoke an authorization needs its secret once more. */
async function endPulls(ctx: Context, itemId: string): Promise<void> {
  const pull = await findPull(ctx, itemId)
  if (!pull) return
  if (!findProtocol(ctx.settings, pull.connector)?.revoke) return deletePull(ctx, itemId)
  // Sources count by real time.
  await planRevocation(ctx, itemId, ctx.nowMs - ctx.client.clock_offset_ms)
  ctx.beginDueWork()
}
