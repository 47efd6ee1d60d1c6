import type { Context } from '../context.ts'
import type { RequestOf, ResponseOf } from '../operation.ts'

export async function walletGet(
  _ctx: Context,
  _request: RequestOf<'walletGet'>,
): Promise<ResponseOf<'walletGet'>> {
  throw new Error('walletGet is not built yet')
}
