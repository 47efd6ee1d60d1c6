import type { Context } from '../context.ts'
import type { SandboxRequestOf, SandboxResponseOf } from '../operation.ts'

export async function sandboxIdentityVerificationAdvance(
  _ctx: Context,
  _request: SandboxRequestOf<'sandboxIdentityVerificationAdvance'>,
): Promise<SandboxResponseOf<'sandboxIdentityVerificationAdvance'>> {
  throw new Error('sandboxIdentityVerificationAdvance is not built yet')
}
