import type { Context } from '../context.ts'
import type { RequestOf, ResponseOf } from '../operation.ts'

export async function assetReportFilter(
  _ctx: Context,
  _request: RequestOf<'assetReportFilter'>,
): Promise<ResponseOf<'assetReportFilter'>> {
  throw new Error('assetReportFilter is not built yet')
}
