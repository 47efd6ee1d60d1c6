import type { Context } from '../context.ts'
import type { RequestOf, ResponseOf } from '../operation.ts'

export async function assetReportGet(
  _ctx: Context,
  _request: RequestOf<'assetReportGet'>,
): Promise<ResponseOf<'assetReportGet'>> {
  throw new Error('assetReportGet is not built yet')
}
