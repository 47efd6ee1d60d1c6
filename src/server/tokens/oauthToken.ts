import type { Context } from '../context.ts'
import type { RequestOf, ResponseOf } from '../operation.ts'

export async function oauthToken(
  _ctx: Context,
  _request: RequestOf<'oauthToken'>,
): Promise<ResponseOf<'oauthToken'>> {
  throw new Error('oauthToken is not built yet')
}
