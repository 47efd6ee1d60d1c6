import type { DashboardWebhookAttempt } from '../../../../generated/dashboard/closed.ts'
import { ApiError } from '../../kernel/errors.ts'
import { toTimestamp } from '../../kernel/time.ts'
import { openBody } from '../../queue/seal-body.ts'
import { keptAnswerBytes } from '../../queue/webhook-attempt-store.ts'
import type { PageContext, PageHandler } from '../page-handler.ts'
import { recordLook } from '../record-look.ts'
import { isMasked } from '../requests/request.ts'
import { listTriesOf, type TriedWebhookRow } from './store.ts'
import { toDashboardWebhook, toNullableTime } from './webhook.ts'

export const dashboardWebhookGet: PageHandler<'dashboardWebhookGet'> = async (ctx, { body }) => {
  const rows = await listTriesOf(ctx, body.webhook_id)
  const last = rows.at(-1)
  if (!last) throw new ApiError('OBJECT_NOT_FOUND')
  if (ctx.seesPersonalData) await recordLook(ctx, 'webhook.view', body.webhook_id)
  const tries = rows.flatMap((row) => toAttempt(ctx, row))
  return {
    webhook: toDashboardWebhook({ ...last, attempts: tries.length }),
    body: ctx.seesPersonalData ? openBody(ctx.keys, last).body : null,
    next_attempt_at: toNullableTime(last.due_at),
    tries,
  }
}
dashboardWebhookGet.reads = true

function toAttempt(ctx: PageContext, row: TriedWebhookRow): DashboardWebhookAttempt[] {
  const { tried_number: number, tried_url: url, attempted_at } = row
  if (number === null || url === null || attempted_at === null) return []
  return [
    {
      number,
      at: toTimestamp(Number(attempted_at)),
      requested: row.requested === 1,
      succeeded: row.succeeded === 1,
      url,
      status_code: row.status_code,
      error: row.error,
      duration_ms: row.duration_ms,
      signature: row.signature,
      ...responseOf(ctx, row),
    },
  ]
}

type Response = Pick<
  DashboardWebhookAttempt,
  'response' | 'response_body' | 'response_bytes' | 'response_is_cut'
>

function responseOf(ctx: PageContext, row: TriedWebhookRow): Response {
  const { answer, answer_bytes, status_code } = row
  const about = { response_bytes: answer_bytes, response_body: null, response_is_cut: false }
  const hasBody = answer_bytes === null ? status_code !== null : answer_bytes > 0
  if (!hasBody) return { ...about, response: 'none' }
  if (answer === null) return { ...about, response: 'not_stored' }
  if (!ctx.seesPersonalData) return { ...about, response: 'not_shown' }
  return {
    ...about,
    response: isMasked(ctx) ? 'masked' : 'stored',
    response_body: ctx.keys.decrypt(answer),
    response_is_cut: (answer_bytes ?? 0) > keptAnswerBytes,
  }
}
