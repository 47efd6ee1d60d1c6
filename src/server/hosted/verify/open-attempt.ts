import {
  listVerificationSessions,
  updateVerificationSession,
  type VerificationSessionRow,
} from '../../identity-verification/page-session-store.ts'
import { AttemptChanged } from '../../identity-verification/settle-check.ts'
import { type AttemptRow, findAttempt } from '../../identity-verification/store.ts'
import type { Context } from '../../kernel/context.ts'
import type { PageToken } from '../../link/link-token-store.ts'
import { readCookie } from '../cookie.ts'
import { html } from '../html.ts'
import type { PageAnswer, PageRequest } from '../page-request.ts'
import { addressOf } from './address.ts'
import { beginSession, handOver } from './begin-session.ts'
import { closedPage, type Reader, readerOf, say, wayOut } from './message.ts'
import { inLanguages } from './texts/in-language.ts'

/** How many browsers one attempt can be opened in. */
export const mostSessions = 50

/** What the link of an attempt leads to. Its key was checked. */
export async function openAttempt(
  ctx: Context,
  id: string,
  request: PageRequest,
): Promise<PageAnswer | undefined> {
  const attempt = await findAttempt(ctx, id)
  if (!attempt) return undefined
  const reader = await readerOf(ctx, inLanguages(request.languages))
  return (await closedPage(ctx, reader, attempt)) ?? enterAttempt(ctx, { attempt, reader, request })
}

interface Entering {
  attempt: AttemptRow
  reader: Reader
  request: PageRequest
  /** The link token that led here. */
  token?: PageToken
}

/** Lets a browser into an attempt that goes on, or says that another one is there. */
export async function enterAttempt(ctx: Context, entering: Entering): Promise<PageAnswer> {
  const { attempt, reader, request, token } = entering
  const sessions = await listVerificationSessions(ctx, attempt.id, mostSessions)
  const open = sessions.find(({ ended, expires_at }) => ended === null && expires_at > ctx.nowMs)
  if (open && isOfBrowser(ctx, open, request))
    return { location: addressOf(open.session_id, 'now') }
  // Programs that preview links open them as well. They answer no question.
  if (open?.turn === 0) return takeOver(ctx, attempt, open)
  if (sessions.length >= mostSessions) {
    return say(ctx, reader, {
      status: 410,
      message: reader.texts.tooOften,
      more: wayOut(reader),
    })
  }
  if (!open) return beginSession(ctx, attempt, token)
  if (!request.isWrite) {
    const { begun } = reader.texts
    const more = html`<form method="post"><button>${begun.submit}</button></form>`
    return say(ctx, reader, { status: 409, message: begun, more })
  }
  await change(ctx, open, { ended: 'taken', drafts: '{}' })
  return beginSession(ctx, attempt, token)
}

function isOfBrowser(
  { client, publicUrl, keys }: Context,
  { session_id, browser_hash }: VerificationSessionRow,
  { cookies }: PageRequest,
): boolean {
  const key = readCookie(cookies, { publicUrl, sessionId: session_id, use: 'verify' })
  return key?.clientId === client.client_id && keys.hash(key.secret) === browser_hash
}

/** Gives a session in which nothing was answered to another browser. */
async function takeOver(
  ctx: Context,
  attempt: AttemptRow,
  session: VerificationSessionRow,
): Promise<PageAnswer> {
  const secret = ctx.newId('page_key')
  await change(ctx, session, { browser_hash: ctx.keys.hash(secret) })
  return handOver(ctx, attempt, session, secret)
}

/** Takes a session from its browser. @throws AttemptChanged where that has just sent a form */
async function change(...[ctx, session, changes]: Parameters<typeof updateVerificationSession>) {
  const isFirst = await updateVerificationSession(ctx, session, changes)
  if (!isFirst) throw new AttemptChanged('the session has changed')
}
