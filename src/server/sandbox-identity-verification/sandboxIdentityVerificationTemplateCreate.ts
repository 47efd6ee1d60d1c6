import type { Context } from '../context.ts'
import type { SandboxRequestOf, SandboxResponseOf } from '../operation.ts'

export async function sandboxIdentityVerificationTemplateCreate(
  _ctx: Context,
  _request: SandboxRequestOf<'sandboxIdentityVerificationTemplateCreate'>,
): Promise<SandboxResponseOf<'sandboxIdentityVerificationTemplateCreate'>> {
  throw new Error('sandboxIdentityVerificationTemplateCreate is not built yet')
}
