import { invalidField } from '../../kernel/errors.ts'
import type { HandlerOf } from '../../kernel/operation.ts'
import { askForAttempt } from '../../queue/webhook-store.ts'

export const sandboxWebhookRedeliver: HandlerOf<'sandboxWebhookRedeliver'> = async (
  ctx,
  { body },
) => {
  const now = Date.parse(ctx.now) - ctx.client.clock_offset_ms
  if (!(await askForAttempt(ctx, body.webhook_id, now))) {
    throw invalidField(
      '`webhook_id` must be that of a webhook in your list, which `/sandbox/webhook/list` answers',
    )
  }
  ctx.beginDueWork()
  return {}
}
