import type { Context } from '../context.ts'
import type { RequestOf, ResponseOf } from '../operation.ts'

export async function bankTransferEventSync(
  _ctx: Context,
  _request: RequestOf<'bankTransferEventSync'>,
): Promise<ResponseOf<'bankTransferEventSync'>> {
  throw new Error('bankTransferEventSync is not built yet')
}
