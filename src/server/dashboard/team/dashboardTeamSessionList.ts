import { readListPlace, toListCursor } from '../../kernel/list-cursor.ts'
import { toTimestamp } from '../../kernel/time.ts'
import { hashAccessKey } from '../../users/dashboard-sign-in.ts'
import { readCookie } from '../cookie.ts'
import type { PageContext, PageHandler } from '../page-handler.ts'
import { readPage } from '../pages.ts'
import { listTeamSessions } from './store.ts'

export const dashboardTeamSessionList: PageHandler<'dashboardTeamSessionList'> = async (
  ctx,
  { body },
) => {
  const own = ownHash(ctx)
  const { rows, next_cursor } = await readPage(
    body,
    (cursor, limit) => listTeamSessions(ctx, ctx.service.clock(), beforeOf(cursor), limit),
    ({ ends_at, session_hash }) => toListCursor('team-sessions', Number(ends_at), session_hash),
  )
  const sessions = rows.map((row) => ({
    session_id: row.session_hash,
    user_id: row.user_id,
    email_address: row.email_address,
    began_at: row.created_at,
    ends_at: toTimestamp(Number(row.ends_at)),
    address: row.address,
    is_current: row.session_hash === own,
  }))
  return { sessions, next_cursor }
}
dashboardTeamSessionList.reads = true

function ownHash({ service, sender, keys }: PageContext): string {
  const cookie = readCookie(service.publicUrl(), 'session', sender.headers['cookie'] ?? '')
  return cookie === undefined ? '' : hashAccessKey(keys, 'session', cookie)
}

function beforeOf(cursor: string | undefined): { ends_at: number; session_hash: string } {
  if (cursor === undefined) return { ends_at: Number.MAX_SAFE_INTEGER, session_hash: '' }
  const { sequence, name } = readListPlace('team-sessions', cursor)
  return { ends_at: sequence, session_hash: name }
}
