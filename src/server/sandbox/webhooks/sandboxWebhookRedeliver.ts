import type { Context } from '../../kernel/context.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { SandboxRequestOf, SandboxResponseOf } from '../../kernel/operation.ts'
import { askForAttempt } from '../../queue/webhook-store.ts'

export async function sandboxWebhookRedeliver(
  ctx: Context,
  { body }: SandboxRequestOf<'sandboxWebhookRedeliver'>,
): Promise<SandboxResponseOf<'sandboxWebhookRedeliver'>> {
  const now = Date.parse(ctx.now) - ctx.client.clock_offset_ms
  if (!(await askForAttempt(ctx, body.webhook_id, now))) {
    const message = '`webhook_id` must be that of a webhook in your list'
    throw new ApiError('INVALID_FIELD', { message })
  }
  ctx.beginDueWork()
  return {}
}
