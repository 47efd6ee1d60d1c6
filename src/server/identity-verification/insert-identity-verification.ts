import type {
  IdentityVerificationSteps,
  IdentityVerificationTemplate,
  StepStatus,
} from '../../../generated/2020-09-14/types.ts'
import type { Context } from '../context.ts'
import { storedUser } from './attempt.ts'
import { eachStep, type Finding, type StepState, statusOf } from './step.ts'
import { insertAttempt } from './store.ts'
import { type KnownUser, unknownUser } from './subject.ts'

/** An attempt in whatever state; what its checks found follows from its steps. */
export interface IdentityVerificationInput {
  id?: string
  client_user_id: string
  user_id?: string | null
  template: IdentityVerificationTemplate
  steps: IdentityVerificationSteps
  user?: Partial<KnownUser>
  /** 64 hexadecimal digits; null when there is no link. */
  share_key?: string | null
  previous_attempt_id?: string | null
  watchlist_screening_id?: string | null
  created_at?: string
  completed_at?: string | null
  redacted_at?: string | null
}

/** What a check must have come to for its step to stand where it does. */
const findings: Partial<Record<StepStatus, Finding>> = {
  success: 'success',
  failed: 'failed',
  pending_review: 'pending_review',
  manually_approved: 'failed',
  manually_rejected: 'success',
}

/** Writes an attempt as it is described, and returns its id. */
export async function insertIdentityVerification(
  ctx: Context,
  input: IdentityVerificationInput,
): Promise<string> {
  const { id = ctx.newId('identity_verification'), created_at = ctx.now } = input
  const ended_at = input.completed_at ?? created_at
  const steps = eachStep((name) => toState(input.steps[name], ended_at))
  const status = statusOf(steps)
  const isOpen = status === 'active' || status === 'pending_review'
  const { share_key = null } = input
  const screened = steps.watchlist_screening.found !== null
  const written = await insertAttempt(ctx, {
    id,
    client_user_id: input.client_user_id,
    user_id: input.user_id ?? null,
    template_id: input.template.id,
    template_version: input.template.version,
    previous_attempt_id: input.previous_attempt_id ?? null,
    gave_consent: steps.accept_tos.status === 'skipped' ? 1 : 0,
    share_key: share_key === null ? null : ctx.keys.encrypt(share_key),
    status,
    steps: JSON.stringify(steps),
    ...storedUser(ctx, { ...unknownUser, ...input.user }),
    watchlist_screening_id:
      input.watchlist_screening_id ?? (screened ? ctx.newId('screening') : null),
    created_at,
    completed_at: isOpen ? null : ended_at,
    redacted_at: input.redacted_at ?? null,
  })
  if (!written) throw new Error(`${id} is a first attempt, but its user has one at this template`)
  return id
}

function toState(status: StepStatus, ended_at: string): StepState {
  const found = findings[status] ?? null
  return { status, found, found_at: found === null ? null : ended_at }
}
