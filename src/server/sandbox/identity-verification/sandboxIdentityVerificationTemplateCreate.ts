import { insertTemplate } from '../../identity-verification/store.ts'
import type { Context } from '../../kernel/context.ts'
import type { SandboxRequestOf, SandboxResponseOf } from '../../kernel/operation.ts'

export async function sandboxIdentityVerificationTemplateCreate(
  ctx: Context,
  { body }: SandboxRequestOf<'sandboxIdentityVerificationTemplateCreate'>,
): Promise<SandboxResponseOf<'sandboxIdentityVerificationTemplateCreate'>> {
  const { template_id = ctx.newId('identity_verification_template'), name, steps } = body
  const version = await insertTemplate(ctx.db, {
    client_id: ctx.client.client_id,
    template_id,
    name: name ?? null,
    steps,
  })
  return { template_id, version }
}
