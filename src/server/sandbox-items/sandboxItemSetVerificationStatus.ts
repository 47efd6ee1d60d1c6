import type { Context } from '../context.ts'
import type { SandboxRequestOf, SandboxResponseOf } from '../operation.ts'

export async function sandboxItemSetVerificationStatus(
  _ctx: Context,
  _request: SandboxRequestOf<'sandboxItemSetVerificationStatus'>,
): Promise<SandboxResponseOf<'sandboxItemSetVerificationStatus'>> {
  throw new Error('sandboxItemSetVerificationStatus is not built yet')
}
