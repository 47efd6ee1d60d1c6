import type { SandboxStepOutcome } from '../../../generated/sandbox/closed.ts'
import type { Context } from '../kernel/context.ts'
import { endAttemptStep, stepsOf, userOf } from './attempt.ts'
import type { Submission, Verdict } from './checks.ts'
import { checksOf } from './checks-of.ts'
import { emitChanges } from './emit-changes.ts'
import { evidenceOf, type Upload, withEvidence } from './evidence.ts'
import { mostUploads } from './known-inputs.ts'
import { asksOf } from './kyc-questions.ts'
import { currentStep, type StepName } from './step.ts'
import { type AttemptRow, findAttempt, updateAttempt } from './store.ts'

/** Another request has changed the attempt. Nothing of this one is written. */
export class AttemptChanged extends Error {}

/** Writes what changed of an attempt, and sends the webhooks about it. @throws AttemptChanged */
export async function writeAttempt(
  ctx: Context,
  before: AttemptRow,
  after: AttemptRow,
): Promise<AttemptRow> {
  if (!(await updateAttempt(ctx, after))) throw new AttemptChanged('the attempt has changed')
  await emitChanges(ctx, before, after)
  return { ...after, revision: before.revision + 1 }
}

/** The attempt after its step has ended, with the checks begun that need nothing from the person. */
export const endAndGoOn = (
  ctx: Context,
  row: AttemptRow,
  step: StepName,
  outcome: SandboxStepOutcome,
): Promise<AttemptRow> =>
  beginChecks(ctx, endAttemptStep(ctx, withoutWaiting(ctx, row), outcome, step))

/** Begins the checks of the current step and of those after it, until one needs the person. */
export async function beginChecks(ctx: Context, row: AttemptRow): Promise<AttemptRow> {
  const submission = row.status === 'active' ? withoutQuestion(ctx, row) : undefined
  return submission ? submitCheck(ctx, row, submission) : row
}

/** The check that can begin, since the person need not be asked. */
function withoutQuestion(ctx: Context, row: AttemptRow): Submission | undefined {
  const step = currentStep(stepsOf(row))
  if (step === undefined || evidenceOf(ctx, row).waiting?.step === step) return undefined
  if (step === 'watchlist_screening' || step === 'risk_check') return { step }
  return step === 'kyc_check' && asksOf(userOf(ctx, row)).length === 0 ? { step } : undefined
}

/** Begins a check of the current step, and goes on where it says at once what it finds. */
export async function submitCheck(
  ctx: Context,
  row: AttemptRow,
  submission: Submission,
): Promise<AttemptRow> {
  const verdict = await checksOf(ctx).submit(ctx, row, submission)
  if (verdict !== 'pending') return applyVerdict(ctx, row, submission.step, verdict)
  return withEvidence(ctx, row, { waiting: { step: submission.step, since: ctx.now } })
}

/** The attempt after a verdict, whose further checks are begun. */
async function applyVerdict(
  ctx: Context,
  row: AttemptRow,
  step: StepName,
  verdict: Exclude<Verdict, 'pending'>,
): Promise<AttemptRow> {
  const noted = noteVerdict(ctx, row, step, verdict)
  if ('found' in verdict) return endAndGoOn(ctx, noted, step, verdict.found)
  return hasUploads(ctx, noted, step)
    ? withoutWaiting(ctx, noted)
    : endAndGoOn(ctx, noted, step, 'failed')
}

/** Whether the person can send pictures once more. */
function hasUploads(ctx: Context, row: AttemptRow, step: StepName): boolean {
  const { documents = [], selfies = [] } = evidenceOf(ctx, row)
  return (step === 'selfie_check' ? selfies : documents).length < mostUploads
}

/** The uploads, the last of which has its verdict. */
function noteVerdict(
  ctx: Context,
  row: AttemptRow,
  step: StepName,
  verdict: Exclude<Verdict, 'pending'>,
): AttemptRow {
  const { documents = [], selfies = [] } = evidenceOf(ctx, row)
  if (step === 'documentary_verification') {
    return withEvidence(ctx, row, { documents: noteLast(documents, verdict) })
  }
  return step === 'selfie_check'
    ? withEvidence(ctx, row, { selfies: noteLast(selfies, verdict) })
    : row
}

function noteLast<Sent extends Upload>(
  uploads: readonly Sent[],
  verdict: Exclude<Verdict, 'pending'>,
): Sent[] {
  const note =
    'again' in verdict
      ? { flaw: verdict.again }
      : verdict.found === 'expired'
        ? {}
        : { found: verdict.found }
  return uploads.map((one, index) => (index === uploads.length - 1 ? { ...one, ...note } : one))
}

function withoutWaiting(ctx: Context, row: AttemptRow): AttemptRow {
  return evidenceOf(ctx, row).waiting ? withEvidence(ctx, row, { waiting: undefined }) : row
}

/**
 * Writes what a check found that ran behind the page. False: the step is no longer open, since a
 * reviewer, a call or another answer was earlier. @throws AttemptChanged
 */
export async function settleCheck(
  ctx: Context,
  { identity_verification_id, step }: { identity_verification_id: string; step: StepName },
  verdict: Exclude<Verdict, 'pending'>,
  changes: Partial<AttemptRow> = {},
): Promise<boolean> {
  const before = await findAttempt(ctx, identity_verification_id)
  if (before?.status !== 'active' || currentStep(stepsOf(before)) !== step) return false
  const after = await applyVerdict(ctx, { ...before, ...changes }, step, verdict)
  await writeAttempt(ctx, before, after)
  return true
}
