import { hasFeature } from '../clients/client.ts'
import { hasProduct } from '../items/item.ts'
import { type ItemRow, requireItem } from '../items/store.ts'
import { checkWebhook } from '../kernel/check-webhook.ts'
import { ApiError, toCause } from '../kernel/errors.ts'
import type { HandlerOf } from '../kernel/operation.ts'
import {
  findReportUser,
  includesFast,
  includesInvestments,
  type ReportRequest,
  toReportUser,
} from './report-request.ts'
import { insertReport } from './store.ts'

export const assetReportCreate: HandlerOf<'assetReportCreate'> = async (ctx, { body }) => {
  const { access_tokens, days_requested, options } = body
  checkWebhook(ctx, options?.webhook, 'options.webhook')
  const items: ItemRow[] = []
  for (const [index, token] of access_tokens.entries()) {
    items.push(await requireItem(ctx, token, `access_tokens[${index}]`))
  }
  rejectWithoutAssets(items)
  const request: ReportRequest = {
    days_requested,
    client_report_id: options?.client_report_id ?? null,
    require_all_items: options?.require_all_items ?? true,
    investments: includesInvestments(options),
    item_ids: items.map((item) => item.item_id),
    user: toReportUser(options),
  }
  const asset_report_id = ctx.newId('uuid')
  const asset_report_token = ctx.newId('asset_report_token')
  const fast = includesFast(options)
  await insertReport(ctx, {
    asset_report_id,
    token: asset_report_token,
    user_id: await findReportUser(ctx, options?.user?.client_user_id),
    webhook: options?.webhook ?? null,
    request: JSON.stringify(request),
    ssn: options?.user?.ssn ? ctx.keys.encrypt(options.user.ssn) : null,
    insights_granted: hasFeature(ctx.client, 'asset_report_insights') ? 1 : 0,
    fast_status: fast ? 'pending' : null,
  })
  const delay = ctx.settings.reportDelayMs
  // The fast report is scheduled first, with half the delay, so it is ready first. Rows store whole
  // milliseconds.
  const half = Math.floor(delay / 2)
  if (fast) await ctx.schedule('assetReportMakeFast', { asset_report_id }, half)
  await ctx.schedule('assetReportMake', { asset_report_id }, delay)
  return { asset_report_token, asset_report_id }
}

function rejectWithoutAssets(items: readonly ItemRow[]): void {
  const without = items.filter((item) => !hasProduct(item, 'assets'))
  if (without.length === 0) return
  const message = 'assets was not initialized when this Item was linked'
  const causes = without.map((item) =>
    toCause('ITEM_ERROR.PRODUCT_NOT_ENABLED', item.item_id, message),
  )
  throw new ApiError('ASSET_REPORT_ERROR.PRODUCT_NOT_ENABLED', { causes })
}
