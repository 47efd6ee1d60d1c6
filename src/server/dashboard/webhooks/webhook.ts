import type { DashboardWebhook } from '../../../../generated/dashboard/closed.ts'
import { toTimestamp } from '../../kernel/time.ts'
import type { WebhookRow } from './store.ts'

export const toNullableTime = (ms: number | null): string | null =>
  ms === null ? null : toTimestamp(Number(ms))

/** A webhook as lists show it. */
export const toDashboardWebhook = (row: WebhookRow): DashboardWebhook => ({
  webhook_id: row.webhook_id,
  webhook_type: row.webhook_type,
  webhook_code: row.webhook_code,
  item_id: row.item_id,
  url: row.url,
  status: row.status === 'pending' && row.attempts > 0 ? 'retrying' : row.status,
  attempts: row.attempts,
  attempted_at: toNullableTime(row.attempted_at),
  status_code: row.status_code,
  error: row.error,
})
