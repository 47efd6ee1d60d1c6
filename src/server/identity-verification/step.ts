import type {
  IdentityVerificationStatus,
  IdentityVerificationSteps,
  StepStatus,
} from '#contract/closed.ts'
import type { SandboxStepOutcome } from '../../../generated/sandbox/closed.ts'

export type StepName = keyof IdentityVerificationSteps

/** What a check itself came to; a reviewer's decision does not change it. */
export type Finding = 'success' | 'failed' | 'pending_review'

/** Where a step stands, and what its check found, if it ran. */
export interface StepState {
  status: StepStatus
  found: Finding | null
  found_at: string | null
}

export type Steps = Record<StepName, StepState>

/** In the order in which they run. */
export const stepNames = [
  'accept_tos',
  'verify_sms',
  'kyc_check',
  'documentary_verification',
  'selfie_check',
  'watchlist_screening',
  'risk_check',
] as const satisfies readonly StepName[]

const unfinished: readonly StepStatus[] = ['active', 'waiting_for_prerequisite', 'pending_review']
const done: readonly StepStatus[] = ['success', 'manually_approved']
const passed: readonly StepStatus[] = [...done, 'skipped', 'not_applicable']

/** What a user can do instead, when the records do not know them: show a document. */
const fallbacks: Partial<Record<StepName, StepName>> = { kyc_check: 'documentary_verification' }

/** Makes a value for each step from its name. */
export const eachStep = <Value>(make: (name: StepName) => Value) =>
  Object.fromEntries(stepNames.map((name) => [name, make(name)])) as Record<StepName, Value>

/** The steps of a new attempt: consent given before skips the question for it. */
export function firstSteps(template: readonly StepName[], gaveConsent: boolean): Steps {
  const statusOfNew = (name: StepName): StepStatus => {
    if (!template.includes(name)) return 'not_applicable'
    return name === 'accept_tos' && gaveConsent ? 'skipped' : 'waiting_for_prerequisite'
  }
  return settle(eachStep((name) => ({ status: statusOfNew(name), found: null, found_at: null })))
}

/** The steps after one of them has ended; the next becomes active, unless the attempt has ended. */
export function endStep(
  steps: Steps,
  step: StepName,
  outcome: SandboxStepOutcome,
  now: string,
): Steps {
  const closes = outcome === 'expired' || outcome === 'canceled'
  return settle(
    eachStep((name) => {
      const state = steps[name]
      if (name === step) return endedState(state, outcome, now)
      return closes && unfinished.includes(state.status) ? { ...state, status: outcome } : state
    }),
  )
}

function endedState(state: StepState, outcome: SandboxStepOutcome, now: string): StepState {
  if (outcome === 'success' || outcome === 'failed' || outcome === 'pending_review') {
    return { status: outcome, found: outcome, found_at: now }
  }
  return { ...state, status: outcome }
}

/** At most one step is active, and none unless the attempt is. */
function settle(steps: Steps): Steps {
  const goesOn = statusOf(steps) === 'active'
  const current = goesOn ? (activeStep(steps) ?? nextStep(steps)) : undefined
  return eachStep((name) => {
    const state = steps[name]
    if (name === current) return { ...state, status: 'active' }
    return state.status === 'active' ? { ...state, status: 'waiting_for_prerequisite' } : state
  })
}

const activeStep = (steps: Steps): StepName | undefined =>
  stepNames.find((name) => steps[name].status === 'active')

const nextStep = (steps: Steps): StepName | undefined =>
  stepNames.find((name) => steps[name].status === 'waiting_for_prerequisite')

/** The step that the attempt is at: the active one, or the one that waits for a reviewer. */
export const currentStep = (steps: Steps): StepName | undefined =>
  activeStep(steps) ?? stepNames.find((name) => steps[name].status === 'pending_review')

/** The steps that a reviewer can still decide. Nothing changes in an attempt that is closed for good. */
export function openSteps(steps: Steps): StepName[] {
  if (['expired', 'canceled'].includes(statusOf(steps))) return []
  return stepNames.filter((name) => ['failed', 'pending_review'].includes(steps[name].status))
}

/** Whether a reviewer has rejected the attempt, so that nothing is left to decide. */
export const isRejected = (steps: Steps): boolean =>
  stepNames.some((name) => steps[name].status === 'manually_rejected')

/** Where the attempt stands, which its steps alone decide. */
export function statusOf(steps: Steps): IdentityVerificationStatus {
  const some = (status: StepStatus) => stepNames.some((name) => steps[name].status === status)
  if (some('expired')) return 'expired'
  if (some('canceled')) return 'canceled'
  if (stepNames.some((name) => isLost(steps, name))) return 'failed'
  if (some('pending_review')) return 'pending_review'
  return stepNames.every((name) => isPassed(steps, name)) ? 'success' : 'active'
}

/** A failed step ends the attempt only where no other step can take its place. */
function isLost(steps: Steps, name: StepName): boolean {
  const { status } = steps[name]
  if (status !== 'failed') return status === 'manually_rejected'
  const fallback = fallbacks[name]
  return !fallback || ![...unfinished, ...done].includes(steps[fallback].status)
}

function isPassed(steps: Steps, name: StepName): boolean {
  const { status } = steps[name]
  const fallback = fallbacks[name]
  if (status === 'failed') return fallback !== undefined && done.includes(steps[fallback].status)
  return passed.includes(status)
}
