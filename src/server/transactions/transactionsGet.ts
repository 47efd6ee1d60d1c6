import type { Context } from '../context.ts'
import type { RequestOf, ResponseOf } from '../operation.ts'

export async function transactionsGet(
  _ctx: Context,
  _request: RequestOf<'transactionsGet'>,
): Promise<ResponseOf<'transactionsGet'>> {
  throw new Error('transactionsGet is not built yet')
}
