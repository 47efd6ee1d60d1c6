import type { Context } from '../kernel/context.ts'
import { foreignCursor, fromIdCursor, toIdCursor } from '../kernel/list-cursor.ts'
import type { HandlerOf } from '../kernel/operation.ts'
import { type DashboardUserRow, findDashboardUser, listDashboardUsers } from './dashboard-store.ts'
import { toDashboardUser } from './dashboard-user.ts'

const pageSize = 20

export const dashboardUserList: HandlerOf<'dashboardUserList'> = async (ctx, { body }) => {
  const after = body.cursor == null ? undefined : await requireCursor(ctx, body.cursor)
  const rows = await listDashboardUsers(ctx, after, pageSize + 1)
  const page = rows.slice(0, pageSize)
  const last = page.at(-1)
  return {
    dashboard_users: page.map(toDashboardUser),
    next_cursor: last && rows.length > pageSize ? toIdCursor(last.id) : null,
  }
}
dashboardUserList.reads = true
dashboardUserList.single = (body) => body.cursor == null

/** The dashboard user after whom a page begins. */
async function requireCursor(ctx: Context, cursor: string): Promise<DashboardUserRow> {
  const id = fromIdCursor(cursor)
  const row = id === undefined ? undefined : await findDashboardUser(ctx, id)
  if (row) return row
  throw foreignCursor()
}
