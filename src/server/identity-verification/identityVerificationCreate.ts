import type { Context } from '../kernel/context.ts'
import { invalidField } from '../kernel/errors.ts'
import type { BodyOf, HandlerOf, ResponseOf } from '../kernel/operation.ts'
import { requireUserById } from '../users/store.ts'
import { startAttempt } from './attempt.ts'
import { toIdentityVerification } from './identity-verification.ts'
import { requireServed } from './provider-checks.ts'
import { type AttemptRow, findLatestAttempt, insertAttempt, requireTemplate } from './store.ts'
import { toKnownUser } from './subject.ts'

type Body = BodyOf<'identityVerificationCreate'>

export const identityVerificationCreate: HandlerOf<'identityVerificationCreate'> = async (
  ctx,
  { body },
) => {
  const clientUserId = await findClientUserId(ctx, body)
  const template = await requireTemplate(ctx, body.template_id)
  const existing = await findLatestAttempt(ctx, clientUserId, body.template_id)
  if (existing) return repeat(ctx, body, existing)
  requireServed(ctx, template)
  const attempt = startAttempt(ctx, template, {
    client_user_id: clientUserId,
    user_id: body.user_id ?? null,
    previous_attempt_id: null,
    gave_consent: body.gave_consent,
    is_shareable: body.is_shareable,
    user: toKnownUser(body.user),
  })
  if (await insertAttempt(ctx, attempt)) return toIdentityVerification(ctx, attempt)
  // Another creation was a moment earlier.
  return repeat(ctx, body, await findLatestAttempt(ctx, clientUserId, body.template_id))
}

/** Answers with the attempt that exists already, where that is asked for. */
function repeat(
  ctx: Context,
  body: Body,
  existing: AttemptRow | undefined,
): ResponseOf<'identityVerificationCreate'> {
  if (existing && body.is_idempotent === true) return toIdentityVerification(ctx, existing)
  throw invalidField(
    'an attempt exists for this user and `template_id`: send `is_idempotent` true to get the newest',
  )
}

/** The name that the client has for the user, whichever of the two ids it sent. */
async function findClientUserId(ctx: Context, body: Body): Promise<string> {
  const { client_user_id, user_id } = body
  if (user_id === undefined) return client_user_id as string
  const user = await requireUserById(ctx, user_id)
  if (client_user_id === undefined || client_user_id === user.client_user_id) {
    return user.client_user_id
  }
  throw invalidField('`client_user_id` and `user_id` must name the same user')
}
