import { stepsOf } from '../../identity-verification/attempt.ts'
import { decisionsOf } from '../../identity-verification/decision.ts'
import { toIdentityVerification } from '../../identity-verification/identity-verification.ts'
import { openSteps } from '../../identity-verification/step.ts'
import type { PageHandler } from '../page-handler.ts'
import { recordLook } from '../record-look.ts'
import { findWithNewest } from './decide.ts'
import { canCancel, canRetry, toDecision, withoutPerson } from './verification.ts'

export const dashboardVerificationGet: PageHandler<'dashboardVerificationGet'> = async (
  ctx,
  { body },
) => {
  const { row, newest } = await findWithNewest(ctx, body.identity_verification_id)
  const shows = ctx.seesPersonalData
  // In the sandbox too, so that a client sees there what production records.
  if (shows) await recordLook(ctx, 'verification.view', row.id)
  const shown = toIdentityVerification(ctx, row)
  return {
    verification: shows ? shown : withoutPerson(shown),
    shows_personal_data: shows,
    revision: row.revision,
    open_steps: openSteps(stepsOf(row)),
    decisions: decisionsOf(row).map(toDecision),
    newest_attempt_id: newest.id,
    can_cancel: canCancel(row),
    can_retry: canRetry(row, newest.id),
  }
}
