import { changeSession, endSession } from './change-session.ts'
import { type Connection, discardStaged, isBusy } from './connection.ts'
import { toButton, toMessage } from './message-page.ts'
import type { PageAnswer } from './page-request.ts'
import { addressOf } from './session-address.ts'
import type { Begun } from './settle-work.ts'
import { showStep } from './show-step.ts'
import type { StepName } from './step-order.ts'
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
  const { ctx, session, texts } = visit
  const isLeaving = step === 'leave' || session.turn >= mostForms
  if (form.get('turn') !== String(session.turn) || (isBusy(visit) && !isLeaving)) {
    const current = addressOf(session.link_session_id, session.step)
    return toMessage(409, texts.stale, { texts, more: toButton(current, texts.stale.go) })
  }
  if (isLeaving) {
    await discardStaged(ctx, visit.ways, visit.connection)
    await endSession(ctx, visit, undefined)
    return go(visit, 'done')
  }
  const answered = await steps[step].answer(visit, form)
  return 'later' in answered
    ? begin(visit, step, answered.later)
    : applyOutcome(visit, step, form, answered)
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
  if (!('results' in outcome) && isOther(visit.connection, outcome.connection)) {
    await discardStaged(ctx, ways, visit.connection)
  }
  if ('errors' in outcome) return reject(visit, step, form, outcome)
  if ('results' in outcome) {
    await endSession(ctx, visit, outcome.results, outcome.events)
    return go(visit, 'done')
  }
  const { to, answers = {}, events = [], connection } = outcome
  await changeSession(ctx, session, { step: to, answers, connection, events, exit_error: null })
  return go(visit, to)
}

/** Whether what was authorized before is replaced. */
const isOther = (before: Connection, after: Connection | undefined): boolean =>
  after !== undefined && after.done?.secret !== before.done?.secret

type Rejection = Extract<Outcome, { errors: unknown }>

/** Shows the form again. An error of the institution is an event of the session. */
async function reject(
  visit: Visit,
  step: StepName,
  form: URLSearchParams,
  { errors, failure, at = step, connection = visit.connection }: Rejection,
): Promise<PageAnswer> {
  const isChanged = failure || at !== step || JSON.stringify(connection) !== stored(visit)
  if (!isChanged) return { status: 422, html: await showStep(visit, step, { errors, form }) }
  const submit = step === 'code' ? 'SUBMIT_MFA' : 'SUBMIT_CREDENTIALS'
  const session = await changeSession(visit.ctx, visit.session, {
    step: at,
    connection,
    events: failure
      ? [
          [submit, {}],
          ['ERROR', { error_code: failure.code }],
        ]
      : [],
    exit_error: failure ? failure.key : visit.session.exit_error,
  })
  const shown = { ...visit, session, connection, address: addressOf(session.link_session_id, at) }
  return { status: 422, html: await showStep(shown, at, { errors, form }) }
}

const stored = ({ session }: Visit): string => session.connection ?? '{}'
