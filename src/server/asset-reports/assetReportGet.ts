import { hasFeature } from '../clients/client.ts'
import type { Context } from '../kernel/context.ts'
import { ApiError, invalidField } from '../kernel/errors.ts'
import type { BodyOf, HandlerOf } from '../kernel/operation.ts'
import { findUserByToken } from '../users/store.ts'
import { type StoredReport, toAssetReport } from './asset-report.ts'
import { toFailure } from './report-failure.ts'
import type { ReportRequest } from './report-request.ts'
import { type AssetReportRow, findLatestReport, requireReport } from './store.ts'

export const assetReportGet: HandlerOf<'assetReportGet'> = async (ctx, { body }) => {
  const row = await findRow(ctx, body)
  const request = JSON.parse(row.request) as ReportRequest
  const stored = readStored(row, body.fast_report ?? false)
  const insights = body.include_insights ?? false
  if (insights) rejectInsights(ctx, row)
  const days = body.options?.days_to_include ?? null
  if (days !== null && days > request.days_requested) {
    throw invalidField('`options.days_to_include` must not exceed the days of the report')
  }
  const ssn = row.ssn === null ? null : ctx.keys.decrypt(row.ssn)
  const head = { asset_report_id: row.asset_report_id, request, ssn }
  return {
    report: toAssetReport(head, stored, { insights, days }),
    warnings: stored.warnings,
  }
}
assetReportGet.reads = true
assetReportGet.single = (asked: Asked) =>
  asked.asset_report_token !== undefined || asked.user_token === undefined

type Asked = BodyOf<'assetReportGet'>

/** The report of its own token, or the latest report about the user of a token. */
async function findRow(ctx: Context, asked: Asked): Promise<AssetReportRow> {
  if (asked.asset_report_token !== undefined) return requireReport(ctx, asked.asset_report_token)
  const user =
    asked.user_token === undefined ? userOfBearer(ctx) : await userOf(ctx, asked.user_token)
  const row = await findLatestReport(ctx, user.client_id, user.user_id)
  if (!row) throw new ApiError('ASSET_REPORT_ERROR.PRODUCT_NOT_READY')
  return row
}

async function userOf(ctx: Context, userToken: string) {
  const user = await findUserByToken(ctx, userToken)
  if (!user) throw new ApiError('INVALID_USER_TOKEN')
  return { user_id: user.user_id, client_id: ctx.client.client_id }
}

/** The user of the bearer token, who may belong to another client. */
function userOfBearer({ bearer }: Context) {
  if (!bearer?.user || !bearer.scopes.includes('user:read')) {
    throw new ApiError('INVALID_INPUT.UNAUTHORIZED_ROUTE_ACCESS.403')
  }
  return bearer.user
}

function readStored(row: AssetReportRow, fast: boolean): StoredReport {
  if (fast && row.fast_status === null) {
    throw invalidField('`fast_report` must be false for a report without the add-on `fast_assets`')
  }
  const [status, report, failure] = fast
    ? [row.fast_status, row.fast_report, row.fast_failure]
    : [row.status, row.report, row.failure]
  if (status === 'failed') throw toFailure(failure)
  if (status !== 'ready' || report === null) {
    throw new ApiError('ASSET_REPORT_ERROR.PRODUCT_NOT_READY')
  }
  return JSON.parse(report) as StoredReport
}

function rejectInsights(ctx: Context, row: AssetReportRow): void {
  if (!hasFeature(ctx.client, 'asset_report_insights')) throw new ApiError('INSIGHTS_NOT_ENABLED')
  if (row.insights_granted === 0) throw new ApiError('INSIGHTS_PREVIOUSLY_NOT_ENABLED')
}
