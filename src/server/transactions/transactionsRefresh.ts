import type { Context } from '../context.ts'
import type { RequestOf, ResponseOf } from '../operation.ts'

export async function transactionsRefresh(
  _ctx: Context,
  _request: RequestOf<'transactionsRefresh'>,
): Promise<ResponseOf<'transactionsRefresh'>> {
  throw new Error('transactionsRefresh is not built yet')
}
