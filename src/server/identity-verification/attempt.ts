import { isDeepStrictEqual } from 'node:util'
import type { SandboxStepOutcome } from '../../../generated/sandbox/closed.ts'
import type { Context } from '../kernel/context.ts'
import { invalidField } from '../kernel/errors.ts'
import {
  currentStep,
  eachStep,
  endStep,
  firstSteps,
  isRejected,
  type StepName,
  type Steps,
  statusOf,
} from './step.ts'
import type { AttemptRow, TemplateRow } from './store.ts'
import { afterStep, type KnownUser, unknownUser } from './subject.ts'

/** What a new attempt is made of. */
interface AttemptStart {
  client_user_id: string
  user_id: string | null
  previous_attempt_id: string | null
  gave_consent: boolean
  is_shareable: boolean
  user: KnownUser
  /** What of the user is invented. */
  invented?: readonly Fact[]
}

/** A new attempt at a template, at its first step. */
export function startAttempt(ctx: Context, template: TemplateRow, start: AttemptStart): AttemptRow {
  const steps = firstSteps(JSON.parse(template.steps), start.gave_consent)
  return {
    id: ctx.newId('identity_verification'),
    client_user_id: start.client_user_id,
    user_id: start.user_id,
    template_id: template.template_id,
    template_version: template.version,
    previous_attempt_id: start.previous_attempt_id,
    gave_consent: start.gave_consent ? 1 : 0,
    share_key: start.is_shareable ? ctx.keys.encrypt(ctx.newId('share_key')) : null,
    ...withSteps(steps, null, ctx.now),
    ...storedUser(ctx, start.user, start.invented ?? []),
    watchlist_screening_id: null,
    created_at: ctx.now,
    revision: 0,
    decisions: '[]',
    evidence: null,
    pictures: '[]',
    results: null,
  }
}

/**
 * The attempt after a step has ended; without a step, the one that the attempt is at. Nobody was asked
 * for anything, so what the person would have said is invented.
 */
export function advance(
  ctx: Context,
  row: AttemptRow,
  outcome: SandboxStepOutcome,
  step: StepName | undefined = currentStep(stepsOf(row)),
): AttemptRow {
  const after = endAttemptStep(ctx, row, outcome, step)
  const state = step && stepsOf(after)[step]
  const ran = state?.found_at != null && state.found === outcome
  const user = userOf(ctx, row)
  if (!ran) return after
  const known = afterStep(user, row.id, step as StepName)
  const added = facts.filter((name) => !isDeepStrictEqual(user[name], known[name]))
  return { ...after, ...storedUser(ctx, known, [...inventedOf(row), ...added]) }
}

/** The same after a step that the person did on the page, or that a check or a reviewer decided. */
export function endAttemptStep(
  ctx: Context,
  row: AttemptRow,
  outcome: SandboxStepOutcome,
  step: StepName | undefined = currentStep(stepsOf(row)),
): AttemptRow {
  const steps = stepsOf(row)
  if (row.status === 'expired' || row.status === 'canceled') {
    throw invalidField(
      '`identity_verification_id` must name an attempt that is not closed for good',
    )
  }
  if (!step) throw invalidField('`step` is needed where no step of the attempt is active')
  if (steps[step].status === 'not_applicable') {
    throw invalidField("`step` must be a step of the attempt's template")
  }
  const next = endStep(steps, step, outcome, ctx.now)
  const ran = next[step].found_at !== null && next[step].found === outcome
  return {
    ...row,
    ...withSteps(next, row, ctx.now),
    watchlist_screening_id:
      row.watchlist_screening_id ??
      (ran && step === 'watchlist_screening' ? ctx.newId('screening') : null),
  }
}

/** The attempt with what the person said. */
export function withUser(ctx: Context, row: AttemptRow, user: KnownUser): AttemptRow {
  const before = userOf(ctx, row)
  const isAsBefore = (name: Fact) => isDeepStrictEqual(user[name], before[name])
  return { ...row, ...storedUser(ctx, user, inventedOf(row).filter(isAsBefore)) }
}

/** The columns that the steps decide. An attempt is completed when it first comes to an end. */
function withSteps(
  steps: Steps,
  before: Pick<AttemptRow, 'status' | 'completed_at'> | null,
  now: string,
): Pick<AttemptRow, 'status' | 'steps' | 'completed_at' | 'review_closed'> {
  const status = statusOf(steps)
  const goesOn = status === 'active' || status === 'pending_review'
  const same = status === before?.status ? before.completed_at : null
  return {
    status,
    steps: JSON.stringify(steps),
    completed_at: goesOn ? null : (same ?? now),
    review_closed: isRejected(steps) ? 1 : 0,
  }
}

export const stepsOf = (row: Pick<AttemptRow, 'steps'>): Steps => {
  const stored: Steps = JSON.parse(row.steps)
  return eachStep((name) => stored[name])
}

/** The columns that hold what is known of the user. */
function storedUser(
  ctx: Context,
  user: KnownUser,
  invented: readonly Fact[],
): Pick<AttemptRow, 'user_data' | 'id_number_value'> {
  const { id_number, ...rest } = user
  const stored: StoredUser = {
    ...rest,
    id_number_type: id_number?.type ?? null,
    ...(invented.length > 0 ? { invented } : {}),
  }
  return {
    user_data: JSON.stringify(stored),
    id_number_value: id_number ? ctx.keys.encrypt(id_number.value) : null,
  }
}

export function userOf(
  ctx: Context,
  row: Pick<AttemptRow, 'user_data' | 'id_number_value'>,
): KnownUser {
  const { id_number_type, invented: _, ...rest }: StoredUser = JSON.parse(row.user_data)
  const value = row.id_number_value
  const id_number =
    value !== null && id_number_type !== null
      ? { value: ctx.keys.decrypt(value), type: id_number_type }
      : null
  return { ...rest, id_number }
}

type StoredUser = Omit<KnownUser, 'id_number'> & {
  id_number_type: NonNullable<KnownUser['id_number']>['type'] | null
  invented?: readonly Fact[]
}

/** One thing that is known of a user. */
export type Fact = keyof KnownUser
const facts = Object.keys(unknownUser) as Fact[]

/** What of the user nobody said: the sandbox invented it when a step was advanced. */
export const inventedOf = (row: Pick<AttemptRow, 'user_data'>): readonly Fact[] =>
  (JSON.parse(row.user_data) as StoredUser).invented ?? []
