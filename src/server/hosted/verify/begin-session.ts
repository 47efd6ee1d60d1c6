import { stepsOf, userOf } from '../../identity-verification/attempt.ts'
import { evidenceOf, withEvidence } from '../../identity-verification/evidence.ts'
import {
  insertVerificationSession,
  type VerificationSessionRow,
} from '../../identity-verification/page-session-store.ts'
import { beginChecks, writeAttempt } from '../../identity-verification/settle-check.ts'
import type { AttemptRow } from '../../identity-verification/store.ts'
import type { Context } from '../../kernel/context.ts'
import { dayMs } from '../../kernel/time.ts'
import type { PageToken } from '../../link/link-token-store.ts'
import { findLatestPageSession, insertPageSession } from '../../link/page-session-store.ts'
import { eventsOf } from '../../link/session-events.ts'
import { writeCookie } from '../cookie.ts'
import type { PageAnswer } from '../page-request.ts'
import { addressOf } from './address.ts'
import { currentQuestion } from './question-order.ts'

/** Gives an attempt to the browser that asks. The checks begin that need no answer. */
export async function beginSession(
  ctx: Context,
  before: AttemptRow,
  token?: PageToken,
): Promise<PageAnswer> {
  const begun = await beginChecks(ctx, token ? toldTo(ctx, before, token) : before)
  const attempt = begun === before ? before : await writeAttempt(ctx, before, begun)
  const secret = ctx.newId('page_key')
  const session: VerificationSessionRow = {
    session_id: ctx.newId('uuid'),
    attempt_id: attempt.id,
    sequence: ctx.nextSequence(),
    started_at: ctx.now,
    expires_at: token ? token.expires_at : ctx.nowMs + dayMs,
    browser_hash: ctx.keys.hash(secret),
    turn: 0,
    ended: null,
    drafts: '{}',
    token_hash: token?.token_hash ?? null,
    link_session_id: token ? await beginLinkSession(ctx, token) : null,
  }
  await insertVerificationSession(ctx, session)
  return handOver(ctx, attempt, session, secret)
}

/** The attempt with evidence: its end is told to the session of its link token, and its webhook. */
function toldTo(ctx: Context, attempt: AttemptRow, token: PageToken): AttemptRow {
  const webhook = token.webhook ?? undefined
  const isKnown = attempt.evidence !== null && evidenceOf(ctx, attempt).webhook === webhook
  return isKnown ? attempt : withEvidence(ctx, attempt, { webhook })
}

/** The session of the link token: the one that goes on, or a new one. */
async function beginLinkSession(ctx: Context, { token_hash }: PageToken): Promise<string> {
  const last = await findLatestPageSession(ctx, token_hash)
  if (last?.status === null) return last.link_session_id
  const link_session_id = ctx.newId('uuid')
  await insertPageSession(ctx, {
    token_hash,
    link_session_id,
    sequence: ctx.nextSequence(),
    started_at: ctx.now,
    finished_at: null,
    status: null,
    exit_error: null,
    institution: null,
    events: JSON.stringify(eventsOf(ctx.now, [['OPEN', {}]])),
    results: null,
    // No cookie opens it: the one of the verification does.
    browser_hash: ctx.keys.hash(ctx.newId('page_key')),
    attempt: (last?.attempt ?? 0) + 1,
    turn: 0,
    step: 'verify',
    answers: '{}',
    connection: null,
  })
  return link_session_id
}

/** Leads a browser into a session, with the cookie that opens it. */
export function handOver(
  ctx: Context,
  attempt: AttemptRow,
  session: VerificationSessionRow,
  secret: string,
): PageAnswer {
  const { client, publicUrl } = ctx
  const sessionId = session.session_id
  const key = { clientId: client.client_id, secret }
  const seconds = (session.expires_at - ctx.nowMs) / 1000
  return {
    location: addressOf(sessionId, firstPage(ctx, attempt)),
    cookie: writeCookie({ publicUrl, sessionId, use: 'verify' }, key, seconds),
  }
}

/** Where a browser begins that has answered nothing yet. */
function firstPage(ctx: Context, attempt: AttemptRow): string {
  if (attempt.status !== 'active') return 'done'
  return currentQuestion({
    steps: stepsOf(attempt),
    user: userOf(ctx, attempt),
    evidence: evidenceOf(ctx, attempt),
    drafts: {},
  })
}
