import type { Context } from '../context.ts'
import type { SandboxRequestOf, SandboxResponseOf } from '../operation.ts'

export async function sandboxIdentityVerificationRetry(
  _ctx: Context,
  _request: SandboxRequestOf<'sandboxIdentityVerificationRetry'>,
): Promise<SandboxResponseOf<'sandboxIdentityVerificationRetry'>> {
  throw new Error('sandboxIdentityVerificationRetry is not built yet')
}
