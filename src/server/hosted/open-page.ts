import type { Context } from '../kernel/context.ts'
import { findTokenOfPage, type PageToken } from '../link/link-token-store.ts'
import {
  findLatestPageSession,
  type PageSessionRow,
  updatePageSession,
} from '../link/page-session-store.ts'
import { beginSession, handOver } from './begin-session.ts'
import { endSession } from './change-session.ts'
import { giveBack, readConnection } from './connection.ts'
import { readCookie } from './cookie.ts'
import { html } from './html.ts'
import { toMessage, toReturn } from './message-page.ts'
import type { PageAnswer, PageRequest } from './page-request.ts'
import { runBy } from './run-by.ts'
import { addressOf } from './session-address.ts'
import { inLanguage } from './texts/in-language.ts'
import { openFromLink } from './verify/open-from-link.ts'
import type { Ways } from './visit.ts'

/** How many sessions one link can begin. */
const mostSessions = 50

/** What the address of a link token leads to: its session, or a page that says what to do. */
export async function openPage(
  ctx: Context,
  secret: string,
  request: PageRequest,
  ways: Ways,
): Promise<PageAnswer | undefined> {
  const token = await findTokenOfPage(ctx, secret)
  if (!token) return undefined
  const texts = inLanguage(token.language)
  const { used, begun, tooOften } = texts
  const isSandbox = ctx.settings.environment === 'sandbox'
  const more = toReturn(token, texts) ?? html`<p>${texts.shared.close}</p>`
  const frame = { texts, isSandbox, more, runBy: runBy(ctx, token) }
  const isIdentity = (JSON.parse(token.products) as string[]).includes('identity_verification')
  if (isIdentity) return openFromLink(ctx, token, request)
  const session = await findLatestPageSession(ctx, token.token_hash)
  if (!session) return beginSession(ctx, token, 1)
  if (session.status === 'SUCCESS') {
    return toMessage(410, { ...used, text: used.text(token.client_name) }, frame)
  }
  const isOpen = session.status === null
  if (isOpen && isOfBrowser(ctx, session, request)) {
    return { location: addressOf(session.link_session_id, session.step) }
  }
  // Programs that preview links open them as well. They answer no question.
  if (isOpen && session.turn === 0) return takeOver(ctx, token, session)
  if (session.attempt >= mostSessions) {
    return toMessage(410, { ...tooOften, text: tooOften.text(token.client_name) }, frame)
  }
  if (session.step === 'adding' && isOpen) return toMessage(409, texts.adding.elsewhere, frame)
  if (!request.isWrite) {
    const said = isOpen ? begun : { title: begun.titleLeft, text: begun.textLeft }
    const more = html`<form method="post"><button>${begun.submit}</button></form>
${toReturn(token, texts, true)}`
    return toMessage(isOpen ? 409 : 200, said, { ...frame, more })
  }
  if (isOpen) {
    await giveBack(ctx, ways, readConnection(session))
    await endSession(ctx, { token, session }, undefined, { step: 'taken' })
  }
  return beginSession(ctx, token, session.attempt + 1)
}

function isOfBrowser(ctx: Context, session: PageSessionRow, { cookies }: PageRequest): boolean {
  const { client, publicUrl } = ctx
  const key = readCookie(cookies, { publicUrl, sessionId: session.link_session_id })
  return key?.clientId === client.client_id && ctx.keys.hash(key.secret) === session.browser_hash
}

/** Gives a session in which nothing was answered to another browser. */
async function takeOver(
  ctx: Context,
  token: PageToken,
  session: PageSessionRow,
): Promise<PageAnswer> {
  const secret = ctx.newId('page_key')
  await updatePageSession(ctx, { ...session, browser_hash: ctx.keys.hash(secret) })
  return handOver(ctx, token, session, secret)
}
