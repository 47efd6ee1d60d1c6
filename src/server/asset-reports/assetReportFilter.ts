import { ApiError, invalidField } from '../kernel/errors.ts'
import type { HandlerOf } from '../kernel/operation.ts'
import { accountIdsOf, type StoredReport } from './asset-report.ts'
import { insertReport, requireReport } from './store.ts'

export const assetReportFilter: HandlerOf<'assetReportFilter'> = async (ctx, { body }) => {
  const parent = await requireReport(ctx, body.asset_report_token)
  if (parent.status === 'failed') throw new ApiError('INVALID_PARENT')
  if (parent.status === 'pending' || parent.report === null) {
    throw new ApiError('ASSET_REPORT_ERROR.PRODUCT_NOT_READY')
  }
  const excluded = body.account_ids_to_exclude
  rejectSelection(accountIdsIn(parent.report), accountIdsIn(parent.fast_report), excluded)
  const asset_report_id = ctx.newId('uuid')
  const asset_report_token = ctx.newId('asset_report_token')
  await insertReport(ctx, {
    asset_report_id,
    token: asset_report_token,
    user_id: parent.user_id,
    webhook: parent.webhook,
    request: parent.request,
    ssn: parent.ssn,
    insights_granted: parent.insights_granted,
    fast_status: parent.fast_status === 'ready' ? 'pending' : null,
  })
  const payload = { asset_report_id, parent_id: parent.asset_report_id, excluded }
  await ctx.schedule('assetReportFilter', payload, ctx.settings.reportDelayMs)
  return { asset_report_token, asset_report_id }
}

const accountIdsIn = (report: string | null): string[] =>
  report === null ? [] : accountIdsOf(JSON.parse(report) as StoredReport)

/** Ids that are only in the fast report, which was made earlier, are valid too. */
function rejectSelection(
  full: readonly string[],
  fast: readonly string[],
  excluded: readonly string[],
): void {
  const known = new Set([...full, ...fast])
  const unknown = excluded.findIndex((id) => !known.has(id))
  if (unknown >= 0) {
    const message = `\`account_ids_to_exclude[${unknown}]\` must be the id of an account in the report`
    const action = 'Read the ids of the report with `/asset_report/get`.'
    throw new ApiError('INVALID_ACCOUNT_ID', { message, action })
  }
  const gone = new Set(excluded)
  if (full.every((id) => gone.has(id))) {
    throw invalidField('`account_ids_to_exclude` must leave at least one account in the report')
  }
}
