import type {
  LinkInstitution,
  LinkItemAddResult,
  LinkSessionEvent,
} from '../../../generated/platform/closed.ts'
import { findClientWebhook } from '../clients/store.ts'
import type { Context } from '../kernel/context.ts'
import type { PageToken } from '../link/link-token-store.ts'
import {
  endPageSession,
  type PageSessionRow,
  updatePageSession,
} from '../link/page-session-store.ts'
import { eventsOf, type SessionEvent, toChosen } from '../link/session-events.ts'
import { tellSessionFinished } from '../link/tell-session-finished.ts'
import type { Connection } from './connection.ts'
import type { EndStep } from './end-page.ts'
import type { Answers } from './visit.ts'

/** A session that goes on, with its link token. */
export interface OpenSession {
  token: PageToken
  session: PageSessionRow
}

/** Writes what a form changed, and counts the form. */
export async function changeSession(
  ctx: Context,
  session: PageSessionRow,
  { answers, connection, events = [], ...changes }: Changes,
): Promise<PageSessionRow> {
  const all = { ...readAnswers(session), ...answers }
  const changed = {
    ...session,
    ...changes,
    turn: session.turn + 1,
    answers: JSON.stringify(all),
    connection: connection ? JSON.stringify(connection) : session.connection,
    institution: all.institution ? JSON.stringify(all.institution) : null,
    events: withEvents(ctx, session, events),
  }
  await updatePageSession(ctx, changed)
  return changed
}

interface Changes extends Partial<Pick<PageSessionRow, 'step' | 'exit_error'>> {
  answers?: Answers
  connection?: Connection | undefined
  events?: readonly SessionEvent[]
}

/** Writes the end of a session, and sends the webhook about it. */
export async function endSession(
  ctx: Context,
  { token, session }: OpenSession,
  results: LinkItemAddResult[] | undefined,
  {
    events = [],
    step = 'done',
  }: { events?: readonly SessionEvent[]; step?: 'done' | EndStep } = {},
): Promise<void> {
  const status = results ? 'SUCCESS' : 'EXITED'
  const last: SessionEvent = [results ? 'HANDOFF' : 'EXIT', lastFacts(session, !results)]
  await endPageSession(ctx, {
    ...session,
    finished_at: ctx.now,
    status,
    results: results ? JSON.stringify({ item_add_results: results }) : null,
    turn: session.turn + 1,
    step,
    events: withEvents(ctx, session, [...events, last]),
  })
  await tellSessionFinished(ctx, token.webhook ?? (await findClientWebhook(ctx)), {
    status,
    link_session_id: session.link_session_id,
    link_token: token.link_token,
    public_tokens: (results ?? []).map(({ public_token }) => public_token),
  })
}

function lastFacts(session: PageSessionRow, isExit: boolean): SessionEvent[1] {
  const institution = session.institution && (JSON.parse(session.institution) as LinkInstitution)
  const code = session.exit_error?.split('.').at(-1)
  return {
    ...toChosen(institution || null),
    ...(isExit && code !== undefined ? { error_code: code } : {}),
  }
}

const withEvents = (
  ctx: Context,
  session: PageSessionRow,
  events: readonly SessionEvent[],
): string => {
  const before = JSON.parse(session.events) as LinkSessionEvent[]
  return JSON.stringify([...before, ...eventsOf(ctx.now, events)])
}

export const readAnswers = ({ answers }: PageSessionRow): Answers => JSON.parse(answers) as Answers
