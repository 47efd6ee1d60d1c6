import type { Context } from '../context.ts'
import type { RequestOf, ResponseOf } from '../operation.ts'

export async function transferGet(
  _ctx: Context,
  _request: RequestOf<'transferGet'>,
): Promise<ResponseOf<'transferGet'>> {
  throw new Error('transferGet is not built yet')
}
