import { stepsOf } from '../../identity-verification/attempt.ts'
import {
  type DecisionAction,
  firstAfter,
  withDecision,
} from '../../identity-verification/decision.ts'
import { emitChanges } from '../../identity-verification/emit-changes.ts'
import { type StepName, stepNames } from '../../identity-verification/step.ts'
import {
  type AttemptRow,
  findAttempt,
  findLatestAttempt,
  updateAttempt,
} from '../../identity-verification/store.ts'
import type { Context } from '../../kernel/context.ts'
import { ApiError } from '../../kernel/errors.ts'
import { auditPage } from '../audit-page.ts'
import type { PageContext } from '../page-handler.ts'

/** An attempt, and the newest one of its user at its template. */
export async function findWithNewest(
  ctx: Context,
  id: string,
): Promise<{ row: AttemptRow; newest: AttemptRow }> {
  const row = await findAttempt(ctx, id)
  if (!row) throw new ApiError('OBJECT_NOT_FOUND')
  const newest = await findLatestAttempt(ctx, row.client_user_id, row.template_id)
  return { row, newest: newest ?? row }
}

/** The attempt that a decision is about, as the reviewer saw it. */
export async function readForDecision(
  ctx: Context,
  body: { identity_verification_id: string; revision: number },
): Promise<{ row: AttemptRow; newest: AttemptRow }> {
  const found = await findWithNewest(ctx, body.identity_verification_id)
  if (found.row.revision !== body.revision) throw changed(found.row, body.revision)
  return found
}

const words: Readonly<Record<DecisionAction, (step: string) => string>> = {
  approve_step: (step) => `approved the step \`${step}\``,
  reject_step: (step) => `rejected the step \`${step}\``,
  cancel: () => 'canceled the attempt',
  retry: () => 'created a retry of the attempt',
}

/** Says what was decided first. The reason stands on the page, and in no message. */
function changed(row: AttemptRow, revision: number): ApiError {
  const first = firstAfter(row, revision)
  if (!first) return new ApiError('VERIFICATION_CHANGED')
  const who = first.email_address ?? 'the user of this machine'
  const what = words[first.action](first.step ?? '')
  const message = `${who} ${what} at ${first.at}, after the page had loaded the attempt; its status is \`${row.status}\` now`
  return new ApiError('VERIFICATION_CHANGED', { message })
}

/** What was decided, and why. */
interface Decided {
  action: DecisionAction
  step?: StepName
  reason: string
  /** What else the audit log is to hold. */
  details?: Readonly<Record<string, unknown>>
}

/** Writes a decision, its webhooks and its entry in the audit log. */
export async function writeDecision(
  ctx: PageContext,
  before: AttemptRow,
  after: AttemptRow,
  { action, step, reason, details = {} }: Decided,
): Promise<AttemptRow> {
  const why = reason.trim()
  const { user_id, email_address } = ctx.session
  const decided: AttemptRow = {
    ...after,
    ...withDecision(before, {
      at: ctx.now,
      user_id,
      email_address,
      action,
      step: step ?? null,
      reason: why,
      status_before: before.status,
      status_after: after.status,
    }),
  }
  if (!(await updateAttempt(ctx, decided))) throw new ApiError('VERIFICATION_CHANGED')
  await emitChanges(ctx, before, decided)
  await auditPage(ctx, `verification.${action.replace('_', '-')}`, before.id, {
    ...(step === undefined ? {} : { step }),
    reason: why,
    ...differences(before, decided),
    ...details,
  })
  return { ...decided, revision: before.revision + 1 }
}

/** The status and the steps that changed, before and after. */
function differences(before: AttemptRow, after: AttemptRow): { before: object; after: object } {
  const [old, now] = [stepsOf(before), stepsOf(after)]
  const names = stepNames.filter((name) => old[name].status !== now[name].status)
  const tell = (row: AttemptRow, steps: typeof old) => ({
    status: row.status,
    steps: Object.fromEntries(names.map((name) => [name, steps[name].status])),
  })
  return { before: tell(before, old), after: tell(after, now) }
}
