import type { Context } from '../kernel/context.ts'
import { ApiError } from '../kernel/errors.ts'
import type { RequestOf, ResponseOf } from '../kernel/operation.ts'
import { type DashboardUserRow, findDashboardUser, listDashboardUsers } from './dashboard-store.ts'
import { fromCursor, toCursor, toDashboardUser } from './dashboard-user.ts'

const pageSize = 20

export async function dashboardUserList(
  ctx: Context,
  { body }: RequestOf<'dashboardUserList'>,
): Promise<ResponseOf<'dashboardUserList'>> {
  const after = body.cursor == null ? undefined : await requireCursor(ctx, body.cursor)
  const rows = await listDashboardUsers(ctx, after, pageSize + 1)
  const page = rows.slice(0, pageSize)
  const last = page.at(-1)
  return {
    dashboard_users: page.map(toDashboardUser),
    next_cursor: last && rows.length > pageSize ? toCursor(last.id) : null,
  }
}
dashboardUserList.reads = true
dashboardUserList.single = (body: RequestOf<'dashboardUserList'>['body']) => body.cursor == null

/** The dashboard user after whom a page begins. */
async function requireCursor(ctx: Context, cursor: string): Promise<DashboardUserRow> {
  const id = fromCursor(cursor)
  const row = id === undefined ? undefined : await findDashboardUser(ctx, id)
  if (row) return row
  const message = '`cursor` must be the `next_cursor` of an earlier answer of this list'
  throw new ApiError('INVALID_FIELD', { message })
}
