import type { Context } from '../context.ts'
import type { RequestOf, ResponseOf } from '../operation.ts'

export async function institutionsSearch(
  _ctx: Context,
  _request: RequestOf<'institutionsSearch'>,
): Promise<ResponseOf<'institutionsSearch'>> {
  throw new Error('institutionsSearch is not built yet')
}
