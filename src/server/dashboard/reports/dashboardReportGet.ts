import type { StoredReport } from '../../asset-reports/asset-report.ts'
import type { ReportRequest } from '../../asset-reports/report-request.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { PageHandler } from '../page-handler.ts'
import { recordLook } from '../record-look.ts'
import {
  toDashboardAccounts,
  toDashboardFailure,
  toDashboardReport,
  toDashboardSubject,
} from './report.ts'
import { findReportDetails } from './store.ts'

export const dashboardReportGet: PageHandler<'dashboardReportGet'> = async (ctx, { body }) => {
  const row = await findReportDetails(ctx, body.asset_report_id)
  if (!row) throw new ApiError('OBJECT_NOT_FOUND')
  if (ctx.seesPersonalData) await recordLook(ctx, 'report.view', body.asset_report_id)
  const request = JSON.parse(row.request) as ReportRequest
  const stored = row.report === null ? null : (JSON.parse(row.report) as StoredReport)
  return {
    report: toDashboardReport(row),
    subject: toDashboardSubject(request, ctx.seesPersonalData),
    item_ids: request.item_ids,
    webhook: row.webhook,
    date_generated: stored?.date_generated ?? null,
    failure: row.failure === null ? null : toDashboardFailure(row.failure),
    warnings: stored?.warnings.map(({ warning_code }) => warning_code) ?? [],
    accounts: stored === null ? [] : toDashboardAccounts(stored, ctx.seesPersonalData),
  }
}
dashboardReportGet.reads = true
