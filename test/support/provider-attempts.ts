import { checksOf } from '../../src/server/identity-verification/checks-of.ts'
import {
  beginChecks,
  submitCheck,
  writeAttempt,
} from '../../src/server/identity-verification/settle-check.ts'
import { requireAttempt } from '../../src/server/identity-verification/store.ts'
import { runOperatorCommand } from '../../src/server/operator/operator-command.ts'
import { as, maren, type Step } from './identity-verification-fixtures.ts'
import type { Tenant, TestService } from './service.ts'

async function* nothing() {}

/** A template, as an operator makes it. */
export async function newTemplate(
  service: TestService,
  { clientId }: Tenant,
  steps: readonly string[],
): Promise<string> {
  const order = { client_id: clientId, name: 'A test', steps, actor: 'operator:test' }
  const command = { template: 'create', ...order } as const
  const done = await runOperatorCommand(service.service, command, nothing())
  return ('templates' in done && done.templates[0]?.id) || ''
}

/** A new attempt of production at a template with these steps. */
export async function startAttempt(service: TestService, tenant: Tenant, steps: readonly string[]) {
  const template_id = await newTemplate(service, tenant, steps)
  return tenant.api
    .identityVerificationCreate({
      client_user_id: `user-${template_id}`,
      template_id,
      is_shareable: true,
      gave_consent: true,
      user: maren,
    })
    .orThrow()
}

/** Begins the checks that need nothing from the person, as the page does. */
export const begin = (service: TestService, tenant: Tenant, id: string) =>
  as(service, tenant, async (ctx) => {
    const before = await requireAttempt(ctx, id)
    await writeAttempt(ctx, before, await beginChecks(ctx, before))
  })

/** Submits the pictures of an upload, as the page does. */
export const submitUpload = (
  service: TestService,
  tenant: Tenant,
  id: string,
  step: Extract<Step, 'documentary_verification' | 'selfie_check'>,
  number = 1,
) =>
  as(service, tenant, async (ctx) => {
    const before = await requireAttempt(ctx, id)
    await writeAttempt(ctx, before, await submitCheck(ctx, before, { step, upload: number }))
  })

/** Has a code sent, as the page does. */
export const sendCode = (service: TestService, tenant: Tenant, id: string, code: string) =>
  as(service, tenant, async (ctx) => {
    const message = { phone_number: maren.phone_number, code, delivery: 1 }
    return checksOf(ctx).sendCode(ctx, await requireAttempt(ctx, id), message)
  })

/** The attempt as the interface shows it. */
export async function read(
  tenant: Tenant,
  { id, template }: { id: string; template: { id: string } },
) {
  const { identity_verifications } = await tenant.api
    .identityVerificationList({ template_id: template.id })
    .orThrow()
  const found = identity_verifications.find((one) => one.id === id)
  if (!found) throw new Error(`the attempt ${id} is not listed`)
  return found
}
