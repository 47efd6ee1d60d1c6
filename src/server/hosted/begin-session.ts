import { findInstitution } from '../institutions/store.ts'
import { findItem } from '../items/store.ts'
import type { Context } from '../kernel/context.ts'
import type { PageToken } from '../link/link-token-store.ts'
import { insertPageSession, type PageSessionRow } from '../link/page-session-store.ts'
import { eventsOf } from '../link/session-events.ts'
import { writeCookie } from './cookie.ts'
import type { PageAnswer } from './page-request.ts'
import { addressOf } from './session-address.ts'
import { stepsOf } from './step-order.ts'
import type { Answers } from './visit.ts'

/** Writes a new session of a link token, and gives it to the browser that asks. */
export async function beginSession(
  ctx: Context,
  token: PageToken,
  attempt: number,
): Promise<PageAnswer> {
  const secret = ctx.newId('page_key')
  const answers = await firstAnswers(ctx, token)
  const session: PageSessionRow = {
    token_hash: token.token_hash,
    link_session_id: ctx.newId('uuid'),
    sequence: ctx.nextSequence(),
    started_at: ctx.now,
    finished_at: null,
    status: null,
    exit_error: null,
    institution: answers.institution ? JSON.stringify(answers.institution) : null,
    events: JSON.stringify(eventsOf(ctx.now, [['OPEN', {}]])),
    results: null,
    browser_hash: ctx.keys.hash(secret),
    attempt,
    turn: 0,
    step: stepsOf(token)[0] ?? 'consent',
    answers: JSON.stringify(answers),
    connection: null,
  }
  await insertPageSession(ctx, session)
  // The sandbox holds nothing that must not stay.
  if (ctx.settings.environment === 'production') {
    const { token_hash, link_session_id } = session
    const wait = Math.max(0, token.expires_at - ctx.nowMs)
    await ctx.schedule('linkSessionExpire', { token_hash, link_session_id }, wait)
  }
  return handOver(ctx, token, session, secret)
}

/** Leads a browser into a session, with the cookie that opens it. */
export function handOver(
  ctx: Context,
  token: PageToken,
  session: PageSessionRow,
  secret: string,
): PageAnswer {
  const { client, publicUrl } = ctx
  const sessionId = session.link_session_id
  const key = { clientId: client.client_id, secret }
  const seconds = (token.expires_at - ctx.nowMs) / 1000
  return {
    location: addressOf(sessionId, session.step),
    cookie: writeCookie({ publicUrl, sessionId }, key, seconds),
  }
}

/** The institution, where the link token or its Item names one. */
async function firstAnswers(ctx: Context, token: PageToken): Promise<Answers> {
  if (token.item_id !== null) {
    const item = await findItem(ctx, token.item_id)
    const { institution_id = null, institution_name = null } = item ?? {}
    if (institution_id === null || institution_name === null) return {}
    return { institution: { institution_id, name: institution_name } }
  }
  if (token.institution_id === null) return {}
  const row = await findInstitution(ctx, token.institution_id)
  return row ? { institution: { institution_id: row.institution_id, name: row.name } } : {}
}
