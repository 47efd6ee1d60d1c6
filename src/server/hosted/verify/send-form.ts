import { replaceControls } from '../../../control-characters.ts'
import { withUser } from '../../identity-verification/attempt.ts'
import { updateVerificationSession } from '../../identity-verification/page-session-store.ts'
import { AttemptChanged, writeAttempt } from '../../identity-verification/settle-check.ts'
import { keepRejection, rejectionParameter, withoutRejections } from '../kept-rejection.ts'
import type { PageAnswer } from '../page-request.ts'
import { addressOf } from './address.ts'
import type { Drafts } from './drafts.ts'
import { endLinkSession } from './end-link-session.ts'
import { questions } from './questions/questions.ts'
import type { Outcome, QuestionName, Visit } from './visit.ts'

/** A session that has sent so many forms ends. */
const mostForms = 100

const go = ({ session }: Visit, page: string): PageAnswer => ({
  location: addressOf(session.session_id, page),
})

/** Does what a form asks for, once. */
export async function sendForm(
  visit: Visit,
  page: QuestionName | 'leave',
  sent: URLSearchParams,
): Promise<PageAnswer> {
  const { ctx, session } = visit
  const form = withoutControls(sent)
  if (form.get('turn') !== String(session.turn)) return go(visit, 'stale')
  if (page === 'leave' || session.turn >= mostForms) {
    const ended = page === 'leave' ? 'left' : 'full'
    await change(visit, { ended, drafts: '{}' })
    await endLinkSession(ctx, session, undefined)
    return go(visit, 'done')
  }
  const asked = withAddress(visit)
  return apply(asked, page, form, await questions[page].answer(asked, form))
}

/** Nobody sees characters that hide or turn others, and a reviewer must see what was entered. */
const withoutControls = (form: URLSearchParams): URLSearchParams =>
  new URLSearchParams([...form].map(([name, value]) => [name, replaceControls(value)]))

/** The network address of the person is part of what is known of them, once they answer. */
function withAddress(visit: Visit): Visit {
  const { ctx, attempt, user, peer } = visit
  if (user.ip_address !== null || peer === undefined) return visit
  const known = { ...user, ip_address: peer }
  return { ...visit, user: known, attempt: withUser(ctx, attempt, known) }
}

/** Writes what a form leads to. */
async function apply(
  visit: Visit,
  page: QuestionName,
  form: URLSearchParams,
  outcome: Outcome,
): Promise<PageAnswer> {
  const { ctx, session } = visit
  const attempt = outcome.attempt && (await writeAttempt(ctx, visit.attempt, outcome.attempt))
  if (attempt && attempt.status !== 'active') {
    await endLinkSession(ctx, session, attempt)
    await change(visit, { drafts: '{}' })
    return go(visit, 'done')
  }
  if ('errors' in outcome) return reject(visit, page, form, outcome)
  const drafts: Drafts = withoutRejections(outcome.drafts ?? visit.drafts)
  await change(visit, { drafts: JSON.stringify(drafts) })
  return go(visit, 'now')
}

/** Counts a form. @throws AttemptChanged where another form was earlier */
async function change(
  { ctx, session }: Visit,
  changes: Parameters<typeof updateVerificationSession>[2],
): Promise<void> {
  const turn = session.turn + 1
  const isFirst = await updateVerificationSession(ctx, session, { ...changes, turn })
  if (!isFirst) throw new AttemptChanged('the session has changed')
}

/**
 * Leads to the form again, with its errors and what was typed: a page that answers a form itself
 * cannot be gone back to.
 */
async function reject(
  visit: Visit,
  page: QuestionName,
  form: URLSearchParams,
  { errors, at = page, attempt }: Extract<Outcome, { errors: unknown }>,
): Promise<PageAnswer> {
  const { ctx, session, drafts } = visit
  const { repeats = () => false } = questions[page]
  const shown = [...form].filter(([name]) => at === page && name !== 'turn' && repeats(name))
  const typed = new URLSearchParams(shown)
  const kept = keepRejection(ctx, drafts, { step: at, errors, form: typed })
  const text = JSON.stringify(kept.connection)
  // The form of another tab stays current, where nothing was answered.
  if (attempt) await change(visit, { drafts: text })
  else await updateVerificationSession(ctx, session, { drafts: text })
  return { location: `${addressOf(session.session_id, at)}?${rejectionParameter}=${kept.id}` }
}
