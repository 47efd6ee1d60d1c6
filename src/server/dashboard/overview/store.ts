import type { DashboardWebhookStatus } from '../../../../generated/dashboard/closed.ts'
import type { Context } from '../../kernel/context.ts'
import { inQueue } from '../verifications/store.ts'
import { fateColumn } from '../webhooks/store.ts'

interface CountRow {
  hour: string
  operation_id: string
  status: number
  error_code: string
  calls: number
  duration_ms: number
}

/** The counts of calls since an hour. */
export const listCounts = (ctx: Context, from: string) =>
  ctx.own.all<CountRow>(
    `select hour, operation_id, status, error_code, calls, duration_ms from request_counts
      where client_id = $1 and hour >= $2 order by hour, operation_id, status, error_code`,
    [from],
  )

export const countItems = (ctx: Context) =>
  ctx.own.all<{ error_code: string | null; items: number }>(
    `select health_error as error_code, count(*) as items from items
      where client_id = $1 and removed_at is null group by health_error order by health_error`,
  )

export const countRemovedItems = (ctx: Context) =>
  ctx.own.first<{ items: number }>(
    'select count(*) as items from items where client_id = $1 and removed_at is not null',
  )

export const countWebhooks = (ctx: Context) =>
  ctx.own.all<{ fate: DashboardWebhookStatus; webhooks: number }>(
    `select ${fateColumn} as fate, count(*) as webhooks from webhook_deliveries as sent
      where client_id = $1 group by fate order by fate`,
  )

/** The latest imports since a moment, the newest first. */
export const listImports = (ctx: Context, from: string) =>
  ctx.own.all<{ at: string; subject: string | null; actor: string }>(
    `select at, subject, actor from audit_log
      where client_id = $1 and action = 'import' and at >= $2 order by at desc, audit_id desc limit 20`,
    [from],
  )

export const countPendingReviews = (ctx: Context) =>
  ctx.own.first<{ pending: number }>(
    `select count(*) as pending from identity_verifications
      where client_id = $1${inQueue}`,
  )
