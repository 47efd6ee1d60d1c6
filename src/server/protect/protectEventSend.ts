import type { Context } from '../context.ts'
import type { RequestOf, ResponseOf } from '../operation.ts'

export async function protectEventSend(
  _ctx: Context,
  _request: RequestOf<'protectEventSend'>,
): Promise<ResponseOf<'protectEventSend'>> {
  throw new Error('protectEventSend is not built yet')
}
