import type { Context } from '../context.ts'
import type { RequestOf, ResponseOf } from '../operation.ts'

export async function assetReportCreate(
  _ctx: Context,
  _request: RequestOf<'assetReportCreate'>,
): Promise<ResponseOf<'assetReportCreate'>> {
  throw new Error('assetReportCreate is not built yet')
}
