import type { Context } from '../context.ts'
import type { RequestOf, ResponseOf } from '../operation.ts'

export async function webhookVerificationKeyGet(
  _ctx: Context,
  _request: RequestOf<'webhookVerificationKeyGet'>,
): Promise<ResponseOf<'webhookVerificationKeyGet'>> {
  throw new Error('webhookVerificationKeyGet is not built yet')
}
