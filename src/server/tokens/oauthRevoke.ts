import type { Context } from '../context.ts'
import type { RequestOf, ResponseOf } from '../operation.ts'

export async function oauthRevoke(
  _ctx: Context,
  _request: RequestOf<'oauthRevoke'>,
): Promise<ResponseOf<'oauthRevoke'>> {
  throw new Error('oauthRevoke is not built yet')
}
