import type { Context } from '../context.ts'
import type { RequestOf, ResponseOf } from '../operation.ts'

export async function identityVerificationList(
  _ctx: Context,
  _request: RequestOf<'identityVerificationList'>,
): Promise<ResponseOf<'identityVerificationList'>> {
  throw new Error('identityVerificationList is not built yet')
}
