import type { AssetReportError } from '#contract/closed.ts'
import type { Context } from '../kernel/context.ts'
import { ApiError, toEmbeddedError } from '../kernel/errors.ts'
import type { JobHandlers } from '../kernel/job-handlers.ts'
import { filterReport, type StoredReport } from './asset-report.ts'
import { makeFastReport, makeFullReport } from './make-report.ts'
import type { ReportRequest } from './report-request.ts'
import { findReport, finishReport, type ReportKind } from './store.ts'

type Kinds = 'assetReportMake' | 'assetReportMakeFast' | 'assetReportFilter'

/** The jobs for asset reports. */
export const assetReportJobs: JobHandlers<Kinds> = {
  async assetReportMake(ctx, payload) {
    await finish(ctx, payload.asset_report_id, 'FULL', makeFullReport)
  },

  async assetReportMakeFast(ctx, payload) {
    await finish(ctx, payload.asset_report_id, 'FAST', makeFastReport)
  },

  async assetReportFilter(ctx, payload) {
    const parent = await findReport(ctx, payload.parent_id)
    const copy = (json: string | null | undefined) => async () =>
      filterReport(JSON.parse(json ?? 'null') as StoredReport, payload.excluded)
    if (parent?.fast_status === 'ready') {
      await finish(ctx, payload.asset_report_id, 'FAST', copy(parent.fast_report))
    }
    await finish(ctx, payload.asset_report_id, 'FULL', copy(parent?.report))
  },
}

/** Sets reports to failed if their job failed permanently, and sends the webhook. */
export const assetReportEndings: JobHandlers<Kinds> = {
  async assetReportMake(ctx, payload) {
    await finish(ctx, payload.asset_report_id, 'FULL', fail)
  },

  async assetReportMakeFast(ctx, payload) {
    await finish(ctx, payload.asset_report_id, 'FAST', fail)
  },

  async assetReportFilter(ctx, payload) {
    const row = await findReport(ctx, payload.asset_report_id)
    if (row?.fast_status === 'pending') await finish(ctx, payload.asset_report_id, 'FAST', fail)
    await finish(ctx, payload.asset_report_id, 'FULL', fail)
  },
}

const fail = async (): Promise<never> => {
  throw new ApiError('ASSET_REPORT_GENERATION_FAILED')
}

type Make = (ctx: Context, request: ReportRequest) => Promise<StoredReport>

/** Makes one report, stores the result, and sends the webhook. */
async function finish(ctx: Context, id: string, kind: ReportKind, make: Make): Promise<void> {
  const row = await findReport(ctx, id)
  if (!row) return
  const target = { url: row.webhook }
  const about = { asset_report_id: id, ...(row.user_id === null ? {} : { user_id: row.user_id }) }
  try {
    const report = await make(ctx, JSON.parse(row.request) as ReportRequest)
    await finishReport(ctx, id, kind, { report: JSON.stringify(report), failure: null })
    await ctx.emit('ASSETS.PRODUCT_READY', { ...about, report_type: kind }, target)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const failure = JSON.stringify({ key: error.key, causes: error.causes })
    await finishReport(ctx, id, kind, { report: null, failure })
    const told = toEmbeddedError(error, ctx.docsUrl) as AssetReportError
    await ctx.emit('ASSETS.ERROR', { ...about, error: told }, target)
  }
}
