import type { ErrorKey } from '../../../generated/errors.ts'
import { updatePageSession } from '../link/page-session-store.ts'
import { changeSession, endSession } from './change-session.ts'
import { type Connection, giveBack, isBusy, readConnection } from './connection.ts'
import {
  keepRejection,
  rejectionParameter,
  withoutRejection,
  withoutRejections,
} from './kept-rejection.ts'
import type { PageAnswer } from './page-request.ts'
import { addressOf, withQuery } from './session-address.ts'
import type { Begun } from './settle-work.ts'
import type { StepName } from './step-order.ts'
import { isAnyOffered } from './steps/offered.ts'
import { steps } from './steps/steps.ts'
import type { Later, Outcome, Visit } from './visit.ts'

/** A session that has sent so many forms ends. */
const mostForms = 100

const go = ({ session }: Visit, step: string): PageAnswer => ({
  location: addressOf(session.link_session_id, step),
})

/** Does what a form asks for, once. */
export async function sendForm(
  visit: Visit,
  step: StepName | 'leave',
  form: URLSearchParams,
): Promise<PageAnswer | Begun> {
  const { ctx, session } = visit
  const isLeaving = step === 'leave' || session.turn >= mostForms
  if (form.get('turn') !== String(session.turn) || (isBusy(visit) && !isLeaving)) {
    return go(visit, 'stale')
  }
  if (isLeaving) {
    await giveBack(ctx, visit.ways, visit.connection)
    const exit_error = session.exit_error ?? (await whatStopped(visit))
    await endSession(ctx, { ...visit, session: { ...session, exit_error } }, undefined, {
      step: step === 'leave' ? 'done' : 'full',
    })
    return go(visit, 'done')
  }
  const answered = await steps[step].answer(visit, form)
  return 'later' in answered
    ? begin(visit, step, answered.later)
    : applyOutcome(visit, step, form, answered)
}

/** The error of a user who leaves since no institution offers what is asked for. */
async function whatStopped(visit: Visit): Promise<ErrorKey | null> {
  const isEarly = ['consent', 'institution'].includes(visit.session.step)
  return isEarly && !(await isAnyOffered(visit)) ? 'PRODUCTS_NOT_SUPPORTED' : null
}

/** Keeps other forms away from work that cannot be done twice. */
async function begin(visit: Visit, step: StepName, later: Later): Promise<Begun> {
  const { ctx, session, connection } = visit
  if (!later.isOnce) return { later, turn: session.turn }
  const { turn } = await changeSession(ctx, session, {
    step,
    connection: { ...connection, since: ctx.nowMs },
  })
  return { later, turn }
}

/** Writes what a form leads to. */
export async function applyOutcome(
  visit: Visit,
  step: StepName,
  form: URLSearchParams,
  outcome: Outcome,
): Promise<PageAnswer> {
  const { ctx, session, ways } = visit
  if (!('results' in outcome) && outcome.connection) {
    await giveBack(ctx, ways, visit.connection, outcome.connection)
  }
  if ('errors' in outcome) return reject(visit, step, form, outcome)
  if ('results' in outcome) {
    await endSession(ctx, visit, outcome.results, { events: outcome.events ?? [] })
    return go(visit, 'done')
  }
  const { to, answers = {}, events = [] } = outcome
  const connection = withoutRejections(outcome.connection ?? visit.connection)
  await changeSession(ctx, session, { step: to, answers, connection, events, exit_error: null })
  return go(visit, to)
}

type Rejection = Extract<Outcome, { errors: unknown }>

/**
 * Leads to the form again, with its errors and what was typed: a page that answers a form itself
 * cannot be gone back to. An error of the institution is an event of the session.
 */
async function reject(
  visit: Visit,
  step: StepName,
  form: URLSearchParams,
  { errors, failure, at = step, connection = visit.connection }: Rejection,
): Promise<PageAnswer> {
  const { ctx, session, query } = visit
  const typed = at === step ? await repeated(visit, step, form) : new URLSearchParams()
  const kept = keepRejection(ctx, connection, { step: at, errors, form: typed })
  if (failure || at !== step || hasChanged(visit, connection)) {
    const submit = step === 'code' ? 'SUBMIT_MFA' : 'SUBMIT_CREDENTIALS'
    await changeSession(ctx, session, {
      step: at,
      connection: kept.connection,
      events: failure
        ? [
            [submit, {}],
            ['ERROR', { error_code: failure.code }],
          ]
        : [],
      exit_error: failure ? failure.key : session.exit_error,
    })
  } else {
    // The form of another tab stays current, since nothing was answered.
    await updatePageSession(ctx, { ...session, connection: JSON.stringify(kept.connection) })
  }
  const named = at === step ? withoutRejection(query) : new URLSearchParams()
  named.set(rejectionParameter, kept.id)
  return { location: withQuery(addressOf(session.link_session_id, at), named) }
}

/** What the form shows again. */
async function repeated(
  visit: Visit,
  step: StepName,
  form: URLSearchParams,
): Promise<URLSearchParams> {
  const repeats = await steps[step].repeats?.(visit)
  return new URLSearchParams([...form].filter(([name]) => repeats?.(name)))
}

const hasChanged = ({ session }: Visit, connection: Connection): boolean =>
  toText(connection) !== toText(readConnection(session))

const toText = (connection: Connection): string => JSON.stringify(withoutRejections(connection))
