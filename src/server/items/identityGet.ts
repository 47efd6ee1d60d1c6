import type { Context } from '../context.ts'
import type { RequestOf, ResponseOf } from '../operation.ts'

export async function identityGet(
  _ctx: Context,
  _request: RequestOf<'identityGet'>,
): Promise<ResponseOf<'identityGet'>> {
  throw new Error('identityGet is not built yet')
}
