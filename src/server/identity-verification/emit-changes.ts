import { findClientWebhook } from '../clients/store.ts'
import type { Context } from '../kernel/context.ts'
import { stepsOf } from './attempt.ts'
import { evidenceOf } from './evidence.ts'
import { stepNames } from './step.ts'
import type { AttemptRow } from './store.ts'

/** Sends the webhooks about what changed between two states of an attempt. */
export async function emitChanges(
  ctx: Context,
  before: AttemptRow,
  after: AttemptRow,
): Promise<void> {
  const [old, now] = [stepsOf(before), stepsOf(after)]
  const hasStep = stepNames.some((name) => old[name].status !== now[name].status)
  const hasStatus = before.status !== after.status
  if (!hasStep && !hasStatus) return
  // The page of the attempt came from a link token, perhaps, whose session ends too.
  const isOver = hasStatus && before.status === 'active' && after.evidence !== null
  if (isOver) await ctx.schedule('verificationPageEnd', { identity_verification_id: after.id })
  const url = evidenceOf(ctx, after).webhook ?? (await findClientWebhook(ctx))
  const fields = { identity_verification_id: after.id }
  if (hasStep) await ctx.emit('IDENTITY_VERIFICATION.STEP_UPDATED', fields, { url })
  if (hasStatus) await ctx.emit('IDENTITY_VERIFICATION.STATUS_UPDATED', fields, { url })
}
