import { ApiError } from '../../kernel/errors.ts'
import { askForAttempt } from '../../queue/webhook-store.ts'
import { auditPage } from '../audit-page.ts'
import type { PageHandler } from '../page-handler.ts'

export const dashboardWebhookRedeliver: PageHandler<'dashboardWebhookRedeliver'> = async (
  ctx,
  { body },
) => {
  const isPlanned = await askForAttempt(ctx, body.webhook_id, ctx.service.clock())
  if (!isPlanned) throw new ApiError('OBJECT_NOT_FOUND')
  ctx.beginDueWork()
  await auditPage(ctx, 'webhook.redeliver', body.webhook_id)
  return {}
}
