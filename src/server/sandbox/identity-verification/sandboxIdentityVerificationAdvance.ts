import { advance } from '../../identity-verification/attempt.ts'
import { emitChanges } from '../../identity-verification/emit-changes.ts'
import { toIdentityVerification } from '../../identity-verification/identity-verification.ts'
import { requireAttempt, updateAttempt } from '../../identity-verification/store.ts'
import type { HandlerOf } from '../../kernel/operation.ts'

export const sandboxIdentityVerificationAdvance: HandlerOf<
  'sandboxIdentityVerificationAdvance'
> = async (ctx, { body }) => {
  const row = await requireAttempt(ctx, body.identity_verification_id)
  const advanced = advance(ctx, row, body.outcome, body.step)
  await updateAttempt(ctx, advanced)
  await emitChanges(ctx, row, advanced)
  return toIdentityVerification(ctx, advanced)
}
