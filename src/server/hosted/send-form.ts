import { changeSession, endSession } from './change-session.ts'
import { toButton, toMessage } from './message-page.ts'
import type { PageAnswer } from './page-request.ts'
import { addressOf } from './session-address.ts'
import { showStep } from './show-step.ts'
import type { StepName } from './step-order.ts'
import { steps } from './steps/steps.ts'
import type { Outcome, Visit } from './visit.ts'

/** A session that has sent so many forms ends. */
const mostForms = 100

/** Does what a form asks for, once. */
export async function sendForm(
  visit: Visit,
  step: StepName | 'leave',
  form: URLSearchParams,
): Promise<PageAnswer> {
  const { ctx, session, texts } = visit
  const go = (name: string): PageAnswer => ({ location: addressOf(session.link_session_id, name) })
  if (form.get('turn') !== String(session.turn)) {
    const current = addressOf(session.link_session_id, session.step)
    return toMessage(409, texts.stale, { texts, more: toButton(current, texts.stale.go) })
  }
  if (step === 'leave' || session.turn >= mostForms) {
    await endSession(ctx, visit, undefined)
    return go('done')
  }
  const outcome = await steps[step].answer(visit, form)
  if ('results' in outcome) {
    await endSession(ctx, visit, outcome.results, outcome.events)
    return go('done')
  }
  if ('errors' in outcome) return reject(visit, step, form, outcome)
  const { to, answers = {}, events = [] } = outcome
  await changeSession(ctx, session, { step: to, answers, events, exit_error: null })
  return go(to)
}

/** Shows the form again. An error of the institution is an event of the session. */
async function reject(
  visit: Visit,
  step: StepName,
  form: URLSearchParams,
  { errors, failure }: Extract<Outcome, { errors: unknown }>,
): Promise<PageAnswer> {
  if (!failure) return { status: 422, html: await showStep(visit, step, { errors, form }) }
  const submit = step === 'code' ? 'SUBMIT_MFA' : 'SUBMIT_CREDENTIALS'
  const session = await changeSession(visit.ctx, visit.session, {
    step,
    events: [
      [submit, {}],
      ['ERROR', { error_code: failure.code }],
    ],
    exit_error: failure.key,
  })
  return { status: 422, html: await showStep({ ...visit, session }, step, { errors, form }) }
}
