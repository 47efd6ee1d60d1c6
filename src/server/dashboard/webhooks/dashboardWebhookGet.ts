import type { DashboardWebhookAttempt } from '../../../../generated/dashboard/closed.ts'
import { ApiError } from '../../kernel/errors.ts'
import { toTimestamp } from '../../kernel/time.ts'
import { openBody } from '../../queue/seal-body.ts'
import type { PageHandler } from '../page-handler.ts'
import { recordLook } from '../record-look.ts'
import { listTriesOf, type TriedWebhookRow } from './store.ts'
import { toDashboardWebhook, toNullableTime } from './webhook.ts'

export const dashboardWebhookGet: PageHandler<'dashboardWebhookGet'> = async (ctx, { body }) => {
  const rows = await listTriesOf(ctx, body.webhook_id)
  const last = rows.at(-1)
  if (!last) throw new ApiError('OBJECT_NOT_FOUND')
  if (ctx.seesPersonalData) await recordLook(ctx, 'webhook.view', body.webhook_id)
  const tries = rows.flatMap(toAttempt)
  return {
    webhook: toDashboardWebhook({ ...last, attempts: tries.length }),
    body: ctx.seesPersonalData ? openBody(ctx.keys, last).body : null,
    next_attempt_at: toNullableTime(last.due_at),
    tries,
  }
}
dashboardWebhookGet.reads = true

function toAttempt(row: TriedWebhookRow): DashboardWebhookAttempt[] {
  const { tried_number: number, tried_url: url, attempted_at } = row
  if (number === null || url === null || attempted_at === null) return []
  return [
    {
      number,
      at: toTimestamp(Number(attempted_at)),
      succeeded: row.succeeded === 1,
      url,
      status_code: row.status_code,
      error: row.error,
    },
  ]
}
