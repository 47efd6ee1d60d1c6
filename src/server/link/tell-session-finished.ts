import type { Context } from '../kernel/context.ts'
import type { WebhookBodyOf } from '../kernel/webhook-body.ts'

/** Sends the webhook about the end of a session. */
export const tellSessionFinished = (
  ctx: Context,
  url: string | null,
  fields: WebhookBodyOf<'LINK.SESSION_FINISHED'>,
): Promise<void> => ctx.emit('LINK.SESSION_FINISHED', fields, { url })
