import { advance, stepsOf } from '../../identity-verification/attempt.ts'
import { beginChecks } from '../../identity-verification/settle-check.ts'
import { openSteps } from '../../identity-verification/step.ts'
import { invalidField } from '../../kernel/errors.ts'
import type { PageHandler } from '../page-handler.ts'
import { readForDecision, writeDecision } from './decide.ts'

export const dashboardStepDecide: PageHandler<'dashboardStepDecide'> = async (ctx, { body }) => {
  const { step, reason } = body
  const { row, newest } = await readForDecision(ctx, body)
  if (!openSteps(stepsOf(row)).includes(step)) {
    throw invalidField(
      '`step` must be a step that failed or waits for a review, of an attempt that is neither expired nor canceled',
    )
  }
  const isApproved = body.decision === 'approve'
  const advanced = advance(ctx, row, isApproved ? 'manually_approved' : 'manually_rejected', step)
  // A provider works on the steps behind it. In the sandbox, the page of the attempt begins them.
  const decided =
    ctx.settings.environment === 'production' ? await beginChecks(ctx, advanced) : advanced
  // A newer attempt decides, so this one does not return to the queue.
  const after = row.id === newest.id ? decided : { ...decided, review_closed: 1 }
  const action = isApproved ? 'approve_step' : 'reject_step'
  const { status, revision } = await writeDecision(ctx, row, after, { action, step, reason })
  return { status, revision }
}
