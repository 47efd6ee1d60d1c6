import { advance } from '../../identity-verification/attempt.ts'
import { toIdentityVerification } from '../../identity-verification/identity-verification.ts'
import { requireAttempt, updateAttempt } from '../../identity-verification/store.ts'
import type { Context } from '../../kernel/context.ts'
import type { SandboxRequestOf, SandboxResponseOf } from '../../kernel/operation.ts'

export async function sandboxIdentityVerificationAdvance(
  ctx: Context,
  { body }: SandboxRequestOf<'sandboxIdentityVerificationAdvance'>,
): Promise<SandboxResponseOf<'sandboxIdentityVerificationAdvance'>> {
  const row = await requireAttempt(ctx, body.identity_verification_id)
  const advanced = advance(ctx, row, body.outcome, body.step)
  await updateAttempt(ctx, advanced)
  return toIdentityVerification(ctx, advanced)
}
