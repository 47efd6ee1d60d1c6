import type { Context } from '../context.ts'
import type { RequestOf, ResponseOf } from '../operation.ts'

export async function liabilitiesGet(
  _ctx: Context,
  _request: RequestOf<'liabilitiesGet'>,
): Promise<ResponseOf<'liabilitiesGet'>> {
  throw new Error('liabilitiesGet is not built yet')
}
