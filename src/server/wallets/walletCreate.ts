import type { Context } from '../context.ts'
import type { RequestOf, ResponseOf } from '../operation.ts'

export async function walletCreate(
  _ctx: Context,
  _request: RequestOf<'walletCreate'>,
): Promise<ResponseOf<'walletCreate'>> {
  throw new Error('walletCreate is not built yet')
}
