import { startAttempt, userOf } from '../../identity-verification/attempt.ts'
import { toIdentityVerification } from '../../identity-verification/identity-verification.ts'
import {
  findLatestAttempt,
  insertAttempt,
  requireTemplate,
} from '../../identity-verification/store.ts'
import { invalidField } from '../../kernel/errors.ts'
import type { HandlerOf } from '../../kernel/operation.ts'

export const sandboxIdentityVerificationRetry: HandlerOf<
  'sandboxIdentityVerificationRetry'
> = async (ctx, { body }) => {
  const template = await requireTemplate(ctx, body.template_id)
  const previous = await findLatestAttempt(ctx, body.client_user_id, template.template_id)
  if (!previous) {
    throw invalidField('`client_user_id` must name a user with an attempt at this template')
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
