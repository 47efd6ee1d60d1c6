import type { Context } from '../context.ts'
import type { RequestOf, ResponseOf } from '../operation.ts'

export async function walletList(
  _ctx: Context,
  _request: RequestOf<'walletList'>,
): Promise<ResponseOf<'walletList'>> {
  throw new Error('walletList is not built yet')
}
