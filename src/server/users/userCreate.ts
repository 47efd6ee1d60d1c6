import type { Context } from '../context.ts'
import type { RequestOf, ResponseOf } from '../operation.ts'

export async function userCreate(
  _ctx: Context,
  _request: RequestOf<'userCreate'>,
): Promise<ResponseOf<'userCreate'>> {
  throw new Error('userCreate is not built yet')
}
