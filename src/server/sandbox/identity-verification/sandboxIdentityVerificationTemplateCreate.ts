import { insertTemplate } from '../../identity-verification/store.ts'
import type { HandlerOf } from '../../kernel/operation.ts'

export const sandboxIdentityVerificationTemplateCreate: HandlerOf<
  'sandboxIdentityVerificationTemplateCreate'
> = async (ctx, { body }) => {
  const { template_id = ctx.newId('identity_verification_template'), name, steps } = body
  const version = await insertTemplate(ctx.db, {
    client_id: ctx.client.client_id,
    template_id,
    name: name ?? null,
    steps,
  })
  return { template_id, version }
}
