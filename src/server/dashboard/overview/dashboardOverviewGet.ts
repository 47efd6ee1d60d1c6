import { toTimestamp } from '../../kernel/time.ts'
import type { LookHandler } from '../page-handler.ts'
import {
  countItems,
  countPendingReviews,
  countRemovedItems,
  countWebhooks,
  listCounts,
  listImports,
} from './store.ts'

const hourMs = 3_600_000
const usualHours = 24

export const dashboardOverviewGet: LookHandler<'dashboardOverviewGet'> = async (ctx, { body }) => {
  await ctx.calls.write()
  const { hours = usualHours } = body
  const toHour = (ms: number) => toTimestamp(Math.floor(ms / hourMs) * hourMs)
  const from = toHour(ctx.nowMs - (hours - 1) * hourMs)
  const realFrom = toTimestamp(ctx.service.clock() - hours * hourMs)
  const calls = await listCounts(ctx, from)
  return {
    from,
    now: ctx.now,
    calls: calls.map((row) => ({
      hour: row.hour,
      operation_id: row.operation_id,
      status: row.status,
      error_code: row.error_code || null,
      calls: Number(row.calls),
      duration_ms: Number(row.duration_ms),
    })),
    items: (await countItems(ctx)).map(({ error_code, items }) => ({
      error_code,
      items: Number(items),
    })),
    removed_items: Number((await countRemovedItems(ctx))?.items ?? 0),
    webhooks: (await countWebhooks(ctx)).map(({ fate, webhooks }) => ({
      status: fate,
      webhooks: Number(webhooks),
    })),
    imports: (await listImports(ctx, realFrom)).map(({ at, subject, actor }) => ({
      at,
      item_id: subject,
      actor,
    })),
    pending_reviews: Number((await countPendingReviews(ctx))?.pending ?? 0),
  }
}
dashboardOverviewGet.isApart = true
