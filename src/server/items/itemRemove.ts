import type { Context } from '../context.ts'
import type { RequestOf, ResponseOf } from '../operation.ts'

export async function itemRemove(
  _ctx: Context,
  _request: RequestOf<'itemRemove'>,
): Promise<ResponseOf<'itemRemove'>> {
  throw new Error('itemRemove is not built yet')
}
