import { filterBy } from '../filter.ts'
import { readTimeCursor, toTimeCursor } from '../newest-first.ts'
import type { PageHandler } from '../page-handler.ts'
import { readPage } from '../pages.ts'
import { toDashboardReport } from './report.ts'
import { listReportPage } from './store.ts'

export const dashboardReportList: PageHandler<'dashboardReportList'> = async (ctx, { body }) => {
  const filter = filterBy(5, [
    ['status = $', body.status],
    ['user_id = $', body.user_id],
  ])
  const { rows, next_cursor } = await readPage(
    body,
    (cursor, limit) => listReportPage(ctx, readTimeCursor('reports', cursor), limit, filter),
    ({ created_at, asset_report_id }) =>
      toTimeCursor('reports', { at: created_at, id: asset_report_id }),
  )
  return { reports: rows.map(toDashboardReport), next_cursor }
}
dashboardReportList.reads = true
