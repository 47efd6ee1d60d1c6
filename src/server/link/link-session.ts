import type { ErrorKey } from '../../../generated/errors.ts'
import type {
  LinkInstitution,
  LinkSession,
  LinkSessionEvent,
  LinkSessionResults,
} from '../../../generated/platform/closed.ts'
import type { Context } from '../kernel/context.ts'
import { ApiError, toErrorFields } from '../kernel/errors.ts'
import type { LinkSessionRow } from './link-token-store.ts'

/** A session, as `/link/token/get` shows it. */
export const toLinkSession = (ctx: Context, row: LinkSessionRow): LinkSession => ({
  link_session_id: row.link_session_id,
  started_at: row.started_at,
  finished_at: row.finished_at,
  exit: row.status === 'EXITED' ? toExit(ctx, row) : null,
  events: JSON.parse(row.events) as LinkSessionEvent[],
  results: JSON.parse(row.results ?? 'null') as LinkSessionResults | null,
})

const toExit = (ctx: Context, row: LinkSessionRow): NonNullable<LinkSession['exit']> => ({
  error:
    row.exit_error === null
      ? null
      : toErrorFields(new ApiError(row.exit_error as ErrorKey), ctx.docsUrl),
  metadata: {
    institution: JSON.parse(row.institution ?? 'null') as LinkInstitution | null,
  },
})
