import type { AssetReportRow } from '../../asset-reports/store.ts'
import type { Context } from '../../kernel/context.ts'
import type { Filter } from '../filter.ts'
import type { TimePlace } from '../newest-first.ts'

/** An asset report as lists show it. */
export interface ReportListRow
  extends Pick<
    AssetReportRow,
    'asset_report_id' | 'user_id' | 'request' | 'status' | 'fast_status'
  > {
  created_at: string
}

const columns = 'asset_report_id, user_id, request, status, fast_status, created_at'

/** The client's asset reports before one of them, the newest first. */
export const listReportPage = (ctx: Context, before: TimePlace, limit: number, filter: Filter) =>
  ctx.own.all<ReportListRow>(
    `select ${columns} from asset_reports
      where client_id = $1 and (created_at, asset_report_id) < ($2, $3)${filter.sql}
      order by created_at desc, asset_report_id desc limit $4`,
    [before.at, before.id, limit, ...filter.values],
  )

/** A report with what it says, or why it failed. */
type ReportDetailRow = ReportListRow & Pick<AssetReportRow, 'webhook' | 'report' | 'failure'>

export const findReportDetails = (ctx: Context, assetReportId: string) =>
  ctx.own.first<ReportDetailRow>(
    `select ${columns}, webhook, report, failure from asset_reports
      where client_id = $1 and asset_report_id = $2`,
    [assetReportId],
  )
