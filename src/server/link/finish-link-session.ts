import type { ErrorKey } from '../../../generated/errors.ts'
import type {
  LinkInstitution,
  LinkItemAddResult,
  LinkSessionStatus,
} from '../../../generated/platform/closed.ts'
import type { Context } from '../kernel/context.ts'
import { insertLinkSession, type LinkTokenRow } from './link-token-store.ts'
import { eventsOf, type SessionEvent, toChosen } from './session-events.ts'
import { tellSessionFinished } from './tell-session-finished.ts'

/** How a session ended. */
interface FinishedSession {
  token: Pick<LinkTokenRow, 'link_token'>
  /** Who is told. */
  webhook: string | null
  status: LinkSessionStatus
  institution: LinkInstitution | null
  exit_error: ErrorKey | null
  item_add_results: LinkItemAddResult[]
}

interface Told {
  link_session_id: string
  public_tokens: string[]
}

/** Writes a session that began and ended now, and sends the webhook about it. */
export async function finishLinkSession(ctx: Context, session: FinishedSession): Promise<Told> {
  const { token, webhook, status, institution, exit_error, item_add_results } = session
  const { link_token } = token
  const link_session_id = ctx.newId('uuid')
  await insertLinkSession(ctx, link_token, {
    link_session_id,
    sequence: ctx.nextSequence(),
    started_at: ctx.now,
    finished_at: ctx.now,
    status,
    exit_error,
    institution: institution && JSON.stringify(institution),
    events: JSON.stringify(eventsOf(ctx.now, listEvents(session))),
    results: status === 'SUCCESS' ? JSON.stringify({ item_add_results }) : null,
  })
  const public_tokens = item_add_results.map(({ public_token }) => public_token)
  await tellSessionFinished(ctx, webhook, { status, link_session_id, link_token, public_tokens })
  return { link_session_id, public_tokens }
}

function listEvents({ status, institution, exit_error }: FinishedSession): SessionEvent[] {
  const chosen = toChosen(institution)
  const failure = exit_error === null ? {} : { error_code: exit_error.split('.').at(-1) as string }
  return [
    ['OPEN', {}],
    ...(institution ? [['SELECT_INSTITUTION', chosen] as const] : []),
    status === 'SUCCESS' ? ['HANDOFF', chosen] : ['EXIT', { ...chosen, ...failure }],
  ]
}
