import { findItem } from '../items/store.ts'
import type { Context } from '../kernel/context.ts'
import { findTokenOfSession, findTokenOfWork, type PageToken } from '../link/link-token-store.ts'
import { findPageSession } from '../link/page-session-store.ts'
import { readAnswers } from './change-session.ts'
import { isStalled, readConnection } from './connection.ts'
import { endPage, leavePage } from './end-page.ts'
import { findRejection, withoutRejection } from './kept-rejection.ts'
import { toButton, toMessage, toReturn } from './message-page.ts'
import type { PageAnswer, PageRequest } from './page-request.ts'
import { runBy } from './run-by.ts'
import { sendForm } from './send-form.ts'
import { addressOf, withQuery } from './session-address.ts'
import type { Begun } from './settle-work.ts'
import { showStep } from './show-step.ts'
import { isStepOpen, type StepName } from './step-order.ts'
import { renewSeconds } from './steps/adding.ts'
import { asksDetails } from './steps/after-done.ts'
import { inLanguage, inLanguages } from './texts/in-language.ts'
import type { Visit, Ways } from './visit.ts'

/** Which step of which session a browser asks for, with the secret of its cookie. */
export interface Asked {
  sessionId: string
  step: string
  secret: string
}

/** The page of a step, or of what its form leads to. */
export async function sessionPage(
  ctx: Context,
  ways: Ways,
  asked: Asked,
  request: PageRequest,
): Promise<PageAnswer | Begun> {
  const opened = await openVisit(ctx, ways, asked, request)
  if ('answer' in opened) return opened.answer
  const { visit } = opened
  const { token, session } = visit
  const { step } = asked
  if (!request.isWrite && isSaid(step)) return say(visit, step)
  const isAdding = session.step === 'adding'
  const isHalted = isAdding && isStalled(visit)
  // What is being linked takes no more answers, unless nothing goes on.
  if (isAdding && (step !== session.step || (request.isWrite && !isHalted))) {
    return { location: addressOf(asked.sessionId, session.step) }
  }
  if (step === 'leave' && !request.isWrite) return leavePage(visit)
  if (
    step !== 'leave' &&
    !isStepOpen(token, { reached: session.step, asksDetails: asksDetails(visit) }, step)
  ) {
    return { location: addressOf(asked.sessionId, session.step) }
  }
  if (!request.isWrite) {
    if (await isItemGone(ctx, token)) return say(visit, 'gone')
    const name = step as StepName
    const page = { status: 200, html: await showStep(visit, name, findRejection(visit, name)) }
    // Who decides whether to wait must not lose their place.
    return isAdding && !isHalted ? { ...page, renewSeconds } : page
  }
  return sendForm(visit, step as StepName | 'leave', request.form)
}

/** What a form may lead to beside a step: a page that says what happened. */
const said = { stale: 200, gone: 410 } as const

const isSaid = (step: string): step is keyof typeof said => Object.hasOwn(said, step)

function say({ ctx, texts, token, session }: Visit, name: keyof typeof said): PageAnswer {
  const current = addressOf(session.link_session_id, session.step)
  const way = { stale: () => toButton(current, texts.stale.go), gone: () => toReturn(token, texts) }
  const isSandbox = ctx.settings.environment === 'sandbox'
  return toMessage(said[name], texts[name], {
    texts,
    isSandbox,
    more: way[name](),
    runBy: runBy(ctx, token),
  })
}

/** The session of a browser, or the page to show where it has ended. */
export async function openVisit(
  ctx: Context,
  ways: Ways,
  asked: Asked,
  { query, file, languages }: PageRequest,
): Promise<{ visit: Visit } | { answer: PageAnswer }> {
  const session = await findPageSession(ctx, asked.secret)
  const texts = inLanguages(languages)
  const frame = { texts, isSandbox: ctx.settings.environment === 'sandbox' }
  // Begun again in another browser, or removed.
  if (session?.link_session_id !== asked.sessionId) {
    return { answer: toMessage(410, texts.lost, frame) }
  }
  const isAdding = session.status === null && session.step === 'adding'
  const findToken = isAdding ? findTokenOfWork : findTokenOfSession
  const token = await findToken(ctx, session.token_hash)
  if (!token) return { answer: toMessage(410, texts.expired, frame) }
  const own = inLanguage(token.language)
  if (session.status !== null) {
    if (asked.step === 'done') return { answer: await endPage(ctx, { token, session }, own) }
    return { answer: { location: addressOf(asked.sessionId, 'done') } }
  }
  const address = withQuery(addressOf(asked.sessionId, asked.step), withoutRejection(query))
  const known = { answers: readAnswers(session), connection: readConnection(session) }
  const visit: Visit = { ctx, ways, token, session, ...known, texts: own, query, address }
  return { visit: file ? { ...visit, file } : visit }
}

/** Nobody is asked for a login at an Item that was removed. */
async function isItemGone(ctx: Context, { item_id }: PageToken): Promise<boolean> {
  if (item_id === null) return false
  const item = await findItem(ctx, item_id)
  return !item || item.removed_at !== null
}
