import type { DashboardUpload } from '../../../../generated/dashboard/closed.ts'
import { stepsOf } from '../../identity-verification/attempt.ts'
import { decisionsOf } from '../../identity-verification/decision.ts'
import { toIdentityVerification } from '../../identity-verification/identity-verification.ts'
import { signImageUrl } from '../../identity-verification/image-url.ts'
import { pictureMs, picturesOf } from '../../identity-verification/pictures/of-attempt.ts'
import { openSteps } from '../../identity-verification/step.ts'
import type { AttemptRow } from '../../identity-verification/store.ts'
import type { Context } from '../../kernel/context.ts'
import type { LookHandler } from '../page-handler.ts'
import { recordLook } from '../record-look.ts'
import { findWithNewest } from './decide.ts'
import { canCancel, canRetry, toDecision, withoutInvented, withoutPerson } from './verification.ts'

/** A reviewer needs the pictures of a step that has no result yet. */
const toUploads = (ctx: Context, row: AttemptRow): DashboardUpload[] =>
  picturesOf(row)
    .filter(({ stored_at }) => stored_at + pictureMs > ctx.realMs())
    .map(({ name, type }) => ({ name, url: signImageUrl(ctx, row.id, name, type) }))

export const dashboardVerificationGet: LookHandler<'dashboardVerificationGet'> = async (
  ctx,
  { body },
) => {
  const { row, newest } = await findWithNewest(ctx, body.identity_verification_id)
  const shows = ctx.seesPersonalData
  // In the sandbox too, so that a client sees there what production records.
  if (shows) await recordLook(ctx, 'verification.view', row.id)
  const shown = toIdentityVerification(ctx, row)
  return {
    verification: shows ? withoutInvented(shown, row) : withoutPerson(shown),
    uploads: shows ? toUploads(ctx, row) : [],
    shows_personal_data: shows,
    revision: row.revision,
    open_steps: openSteps(stepsOf(row)),
    decisions: decisionsOf(row).map((one) => toDecision(one, shows)),
    newest_attempt_id: newest.id,
    can_cancel: canCancel(row),
    can_retry: canRetry(row, newest.id),
  }
}
