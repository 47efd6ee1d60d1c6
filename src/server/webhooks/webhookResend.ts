import { invalidField } from '../kernel/errors.ts'
import type { HandlerOf } from '../kernel/operation.ts'
import { isListenedTo, repeatListened } from '../queue/listened-store.ts'
import { askForAttempt } from '../queue/webhook-store.ts'

export const webhookResend: HandlerOf<'webhookResend'> = async (ctx, { body }) => {
  const { webhook_id } = body
  const now = ctx.nowMs - ctx.client.clock_offset_ms
  const isSent = await askForAttempt(ctx, webhook_id, now)
  const isHeard = isListenedTo(ctx.client, ctx.realMs()) && (await repeatListened(ctx, webhook_id))
  if (!isSent && !isHeard) {
    throw invalidField(
      '`webhook_id` must be that of a stored webhook; one without an address needs somebody who listens',
    )
  }
  if (isSent) ctx.beginDueWork()
  return {}
}
