import { startAttempt, userOf } from '../../identity-verification/attempt.ts'
import { toIdentityVerification } from '../../identity-verification/identity-verification.ts'
import {
  findLatestAttempt,
  insertAttempt,
  requireTemplate,
} from '../../identity-verification/store.ts'
import type { Context } from '../../kernel/context.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { SandboxRequestOf, SandboxResponseOf } from '../../kernel/operation.ts'

export async function sandboxIdentityVerificationRetry(
  ctx: Context,
  { body }: SandboxRequestOf<'sandboxIdentityVerificationRetry'>,
): Promise<SandboxResponseOf<'sandboxIdentityVerificationRetry'>> {
  const template = await requireTemplate(ctx, body.template_id)
  const previous = await findLatestAttempt(ctx, body.client_user_id, template.template_id)
  if (!previous) {
    const message = '`client_user_id` must name a user with an attempt at this template'
    throw new ApiError('INVALID_FIELD', { message })
  }
  const attempt = startAttempt(ctx, template, {
    client_user_id: previous.client_user_id,
    user_id: previous.user_id,
    previous_attempt_id: previous.id,
    gave_consent: previous.gave_consent === 1,
    is_shareable: previous.share_key !== null,
    // The new session has no IP address yet.
    user: { ...userOf(ctx, previous), ip_address: null },
  })
  await insertAttempt(ctx, attempt)
  return toIdentityVerification(ctx, attempt)
}
