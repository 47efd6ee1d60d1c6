import { findClientWebhook } from '../clients/store.ts'
import type { Context } from '../kernel/context.ts'
import { stepsOf } from './attempt.ts'
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
  const url = await findClientWebhook(ctx)
  const fields = { identity_verification_id: after.id }
  if (hasStep) await ctx.emit('IDENTITY_VERIFICATION.STEP_UPDATED', fields, { url })
  if (hasStatus) await ctx.emit('IDENTITY_VERIFICATION.STATUS_UPDATED', fields, { url })
}
