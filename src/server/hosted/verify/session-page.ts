import { isIP } from 'node:net'
import { stepsOf, userOf } from '../../identity-verification/attempt.ts'
import { evidenceOf } from '../../identity-verification/evidence.ts'
import {
  findVerificationSession,
  type VerificationSessionRow,
} from '../../identity-verification/page-session-store.ts'
import { findAttempt } from '../../identity-verification/store.ts'
import type { Context } from '../../kernel/context.ts'
import { findTokenOfWork } from '../../link/link-token-store.ts'
import { findSession } from '../../link/page-session-store.ts'
import { findRejection, withoutRejection } from '../kept-rejection.ts'
import { toButton } from '../message-page.ts'
import type { PageAnswer, PageRequest } from '../page-request.ts'
import { withQuery } from '../session-address.ts'
import { toldOf } from '../told-of.ts'
import { addressOf } from './address.ts'
import { readDrafts } from './drafts.ts'
import { leavePage } from './leave-page.ts'
import { closedPage, type Reader, readerOf, say, wayOut } from './message.ts'
import { currentQuestion, openQuestions } from './question-order.ts'
import { renewSeconds } from './questions/waiting.ts'
import { sendForm } from './send-form.ts'
import { showQuestion } from './show-question.ts'
import { inLanguage, inLanguages } from './texts/in-language.ts'
import type { QuestionName, SentPicture, Visit } from './visit.ts'

/** Which page of which session a browser asks for, with the secret of its cookie. */
export interface Asked {
  sessionId: string
  page: string
  secret: string
  /** The picture that the form brings. */
  picture?: SentPicture | undefined
}

/** The page of a question, or of what its form leads to. */
export async function sessionPage(
  ctx: Context,
  asked: Asked,
  request: PageRequest,
): Promise<PageAnswer> {
  const opened = await openVisit(ctx, asked, request)
  if ('answer' in opened) return opened.answer
  const { visit } = opened
  const { page } = asked
  const current = addressOf(asked.sessionId, currentQuestion(visit))
  if (page === 'stale' && !request.isWrite) {
    const { stale } = visit.texts
    return say(ctx, visit, { status: 200, message: stale, more: toButton(current, stale.go) })
  }
  if (page === 'leave') {
    return request.isWrite ? sendForm(visit, page, request.form) : leavePage(visit)
  }
  const open = openQuestions(visit).find((name) => name === page)
  // A form of a question that is over was sent before, or in another tab.
  if (!open) return { location: request.isWrite ? addressOf(asked.sessionId, 'stale') : current }
  if (request.isWrite) return sendForm(visit, open, request.form)
  return show(visit, open)
}

async function show(visit: Visit, name: QuestionName): Promise<PageAnswer> {
  const known = { connection: visit.drafts, query: visit.query }
  const html = await showQuestion(visit, name, findRejection(known, name))
  const page = { status: 200, html }
  return name === 'waiting' ? { ...page, renewSeconds } : page
}

/** The session of a browser, or the page to show where it has ended. */
async function openVisit(
  ctx: Context,
  { sessionId, page, secret, picture }: Asked,
  { query, languages, peer }: PageRequest,
): Promise<{ visit: Visit } | { answer: PageAnswer }> {
  const session = await findVerificationSession(ctx, secret)
  const attempt = session && (await findAttempt(ctx, session.attempt_id))
  const first = await readerOf(ctx, inLanguages(languages))
  // Taken over before anything was answered, or removed.
  if (session?.session_id !== sessionId || !attempt) {
    return { answer: say(ctx, first, { status: 410, message: first.texts.lost }) }
  }
  const { ended } = session
  const reader = (await linkedReader(ctx, session)) ?? first
  const closed = await closedPage(ctx, reader, attempt)
  if (closed) return { answer: toDone(untilTold(reader, closed), sessionId, page) }
  if (ended !== null || session.expires_at <= ctx.nowMs) {
    const message = reader.texts[ended ?? 'over']
    const more = ended === 'left' ? wayOut(reader) : undefined
    return { answer: toDone(say(ctx, reader, { status: 410, message, more }), sessionId, page) }
  }
  const visit: Visit = {
    ...reader,
    ctx,
    attempt,
    session,
    steps: stepsOf(attempt),
    user: userOf(ctx, attempt),
    evidence: evidenceOf(ctx, attempt),
    drafts: readDrafts(session),
    query,
    address: withQuery(addressOf(sessionId, page), withoutRejection(query)),
    peer: peer !== undefined && isIP(peer) > 0 ? peer : undefined,
  }
  return { visit: picture ? { ...visit, picture } : visit }
}

/** Who reads the page of a link token. */
async function linkedReader(
  ctx: Context,
  { token_hash, link_session_id }: VerificationSessionRow,
): Promise<Reader | undefined> {
  const token = token_hash === null ? undefined : await findTokenOfWork(ctx, token_hash)
  if (!token) return undefined
  const reader = await readerOf(ctx, inLanguage(token.language), token)
  const { token_hash: hash } = token
  const linked = link_session_id
    ? await findSession(ctx, { token_hash: hash, link_session_id })
    : undefined
  return { ...reader, told: linked && toldOf(ctx, { token, session: linked }) }
}

/** A job ends the session of the link token: the page asks again until that is done. */
const untilTold = ({ told }: Reader, answer: PageAnswer): PageAnswer =>
  'html' in answer && told?.session.finished_at === null ? { ...answer, renewSeconds } : answer

/** One address for the end of all pages. */
const toDone = (answer: PageAnswer, sessionId: string, page: string): PageAnswer =>
  page === 'done' ? answer : { location: addressOf(sessionId, 'done') }
