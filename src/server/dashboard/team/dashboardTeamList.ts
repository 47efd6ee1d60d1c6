import { readListPlace, toListCursor } from '../../kernel/list-cursor.ts'
import { toTimestamp } from '../../kernel/time.ts'
import type { PageHandler } from '../page-handler.ts'
import { readPage } from '../pages.ts'
import { listTeam } from './store.ts'
import { toTeamUser } from './team-user.ts'

export const dashboardTeamList: PageHandler<'dashboardTeamList'> = async (ctx, { body }) => {
  const now = ctx.service.clock()
  const { rows, next_cursor } = await readPage(
    body,
    (cursor, limit) => listTeam(ctx, now, afterOf(cursor), limit),
    ({ created_at, sequence }) => toListCursor('team', Date.parse(created_at), `${sequence}`),
  )
  return { users: rows.map((row) => toTeamUser(row, ctx)), next_cursor }
}
dashboardTeamList.reads = true

function afterOf(cursor: string | undefined): { created_at: string; sequence: number } {
  if (cursor === undefined) return { created_at: '', sequence: 0 }
  const { sequence, name } = readListPlace('team', cursor)
  return { created_at: toTimestamp(sequence), sequence: Number(name) || 0 }
}
