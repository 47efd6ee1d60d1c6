import type { ErrorKey } from '../../../generated/errors.ts'
import type {
  LinkInstitution,
  LinkItemAddResult,
  LinkSessionEvent,
  LinkSessionStatus,
} from '../../../generated/platform/closed.ts'
import type { Context } from '../kernel/context.ts'
import { insertLinkSession, type LinkTokenRow } from './link-token-store.ts'

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
    events: JSON.stringify(toEvents(ctx.now, session)),
    results: status === 'SUCCESS' ? JSON.stringify({ item_add_results }) : null,
  })
  const public_tokens = item_add_results.map(({ public_token }) => public_token)
  const fields = { status, link_session_id, link_token, public_tokens }
  await ctx.emit('LINK.SESSION_FINISHED', fields, { url: webhook })
  return { link_session_id, public_tokens }
}

function toEvents(
  timestamp: string,
  { status, institution, exit_error }: FinishedSession,
): LinkSessionEvent[] {
  const chosen = institution && {
    institution_id: institution.institution_id,
    institution_name: institution.name,
  }
  const event = (event_name: string, event_metadata: LinkSessionEvent['event_metadata']) => ({
    event_name,
    timestamp,
    event_metadata,
  })
  const failure = exit_error === null ? {} : { error_code: exit_error.split('.').at(-1) as string }
  return [
    event('OPEN', {}),
    ...(chosen ? [event('SELECT_INSTITUTION', chosen)] : []),
    status === 'SUCCESS'
      ? event('HANDOFF', { ...chosen })
      : event('EXIT', { ...chosen, ...failure }),
  ]
}
