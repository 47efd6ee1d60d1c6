import type { Context } from '../context.ts'
import type { RequestOf, ResponseOf } from '../operation.ts'

export async function identityVerificationCreate(
  _ctx: Context,
  _request: RequestOf<'identityVerificationCreate'>,
): Promise<ResponseOf<'identityVerificationCreate'>> {
  throw new Error('identityVerificationCreate is not built yet')
}
