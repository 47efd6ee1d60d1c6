import { toIdentityVerification } from '../../identity-verification/identity-verification.ts'
import { startRetry } from '../../identity-verification/retry.ts'
import {
  findLatestAttempt,
  insertAttempt,
  requireTemplate,
  updateAttempt,
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
  const attempt = startRetry(ctx, template, previous)
  await insertAttempt(ctx, attempt)
  // The new attempt decides.
  await updateAttempt(ctx, { ...previous, review_closed: 1 })
  return toIdentityVerification(ctx, attempt)
}
