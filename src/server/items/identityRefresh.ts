import type { Context } from '../context.ts'
import type { RequestOf, ResponseOf } from '../operation.ts'

export async function identityRefresh(
  _ctx: Context,
  _request: RequestOf<'identityRefresh'>,
): Promise<ResponseOf<'identityRefresh'>> {
  throw new Error('identityRefresh is not built yet')
}
