import type { Context } from '../context.ts'
import type { RequestOf, ResponseOf } from '../operation.ts'

export async function transactionsSync(
  _ctx: Context,
  _request: RequestOf<'transactionsSync'>,
): Promise<ResponseOf<'transactionsSync'>> {
  throw new Error('transactionsSync is not built yet')
}
