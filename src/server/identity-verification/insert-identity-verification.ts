import type { IdentityVerificationUserInput } from '#contract/closed.ts'
import type { SandboxStepOutcome } from '../../../generated/sandbox/closed.ts'
import type { Context } from '../kernel/context.ts'
import { toTimestamp } from '../kernel/time.ts'
import { advance, startAttempt } from './attempt.ts'
import type { StepName } from './step.ts'
import { type AttemptRow, findLatestAttempt, insertAttempt, requireTemplate } from './store.ts'
import { toKnownUser } from './subject.ts'

/** An attempt and its history. */
interface IdentityVerificationInput {
  id?: string
  client_user_id: string
  user_id?: string | null
  template_id: string
  created_at?: string
  gave_consent?: boolean
  is_shareable?: boolean
  user?: IdentityVerificationUserInput | null
  /** How its steps ended, in order; each a minute after the one before, unless it says when. */
  outcomes?: readonly { step?: StepName; outcome: SandboxStepOutcome; at?: string }[]
}

const minuteMs = 60_000

/**
 * Writes an attempt with the outcomes of its steps. A user's further attempts at the same template
 * are retries of those before.
 */
export async function insertIdentityVerification(
  ctx: Context,
  input: IdentityVerificationInput,
): Promise<AttemptRow> {
  const { created_at = ctx.now, outcomes = [] } = input
  const template = await requireTemplate(ctx, input.template_id)
  const previous = await findLatestAttempt(ctx, input.client_user_id, input.template_id)
  const started = startAttempt(at(ctx, created_at), template, {
    client_user_id: input.client_user_id,
    user_id: input.user_id ?? null,
    previous_attempt_id: previous?.id ?? null,
    gave_consent: input.gave_consent ?? false,
    is_shareable: input.is_shareable ?? false,
    user: toKnownUser(input.user),
  })
  let attempt: AttemptRow = { ...started, id: input.id ?? started.id }
  let now = created_at
  for (const { outcome, step, at: time } of outcomes) {
    now = time ?? toTimestamp(Date.parse(now) + minuteMs)
    attempt = advance(at(ctx, now), attempt, outcome, step)
  }
  await insertAttempt(ctx, attempt)
  return attempt
}

/** The same, at another time. */
const at = (ctx: Context, now: string): Context => ({ ...ctx, now, nowMs: Date.parse(now) })
