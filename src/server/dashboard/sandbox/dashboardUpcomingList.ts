import type { DashboardUpcoming } from '../../../../generated/dashboard/closed.ts'
import type { Context } from '../../kernel/context.ts'
import { foreignCursor, readListPlace, toListCursor } from '../../kernel/list-cursor.ts'
import { toTimestamp } from '../../kernel/time.ts'
import type { PageHandler } from '../page-handler.ts'
import { readPage } from '../pages.ts'
import { listDeliveriesAfter, listJobsAfter } from './upcoming-store.ts'

export const dashboardUpcomingList: PageHandler<'dashboardUpcomingList'> = async (
  ctx,
  { body },
) => {
  const { rows, next_cursor } = await readPage(
    body,
    (cursor, limit) => listUpcoming(ctx, readPlace(ctx, cursor), limit),
    ({ due, place }) => toListCursor('upcoming', due + ctx.client.clock_offset_ms, place),
  )
  return { upcoming: rows.map(({ shown }) => shown), next_cursor }
}
dashboardUpcomingList.reads = true

/** Where the list goes on; jobs stand before webhooks of the same time. */
interface Place {
  due: number
  job: string
  sequence: number
}

interface Row {
  /** In real ms. */
  due: number
  place: string
  shown: DashboardUpcoming
}

async function listUpcoming(ctx: Context, { due, job, sequence }: Place, limit: number) {
  const jobs = await listJobsAfter(
    ctx,
    // After a webhook there is no job of its time.
    sequence >= 0 ? { due: due + 1, key: '' } : { due, key: job },
    limit,
  )
  const deliveries = await listDeliveriesAfter(ctx, { due, key: sequence }, limit)
  const rows: Row[] = [
    ...jobs.map((row) => {
      const about = JSON.parse(row.payload) as { item_id?: string; asset_report_id?: string }
      return toRow(ctx, row, `job-${row.job_id}`, {
        kind: 'job',
        name: row.kind,
        id: row.job_id,
        item_id: about.item_id ?? null,
        asset_report_id: about.asset_report_id ?? null,
      })
    }),
    ...deliveries.map((row) =>
      toRow(ctx, row, `webhook-${row.sequence}`, {
        kind: 'webhook',
        name: `${row.webhook_type}.${row.webhook_code}`,
        id: row.webhook_id,
        item_id: row.item_id,
        asset_report_id: null,
      }),
    ),
  ]
  // The order of equal times stays: it is that of the two lists.
  return rows.sort((a, b) => a.due - b.due).slice(0, limit)
}

function toRow(
  { client }: Context,
  { due_at, attempts }: { due_at: number; attempts: number },
  place: string,
  shown: Omit<DashboardUpcoming, 'at' | 'attempts'>,
): Row {
  const due = Number(due_at)
  const at = toTimestamp(due + client.clock_offset_ms)
  return { due, place, shown: { at, ...shown, attempts: Number(attempts) } }
}

function readPlace({ client }: Context, cursor: string | undefined): Place {
  if (cursor === undefined) return { due: 0, job: '', sequence: -1 }
  const { sequence: at, name } = readListPlace('upcoming', cursor)
  const [, kind, key = ''] = /^(job|webhook)-(.+)$/.exec(name) ?? []
  const sequence = kind === 'webhook' ? Number(key) : -1
  if (kind === undefined || !Number.isSafeInteger(sequence)) throw foreignCursor()
  return { due: at - client.clock_offset_ms, job: key, sequence }
}
