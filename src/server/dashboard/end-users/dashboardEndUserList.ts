import { readTimeCursor, toTimeCursor } from '../newest-first.ts'
import type { PageHandler } from '../page-handler.ts'
import { readPage } from '../pages.ts'
import { toDashboardEndUser } from './end-user.ts'
import { listByClientUserId, listEndUserPage } from './store.ts'

export const dashboardEndUserList: PageHandler<'dashboardEndUserList'> = async (ctx, { body }) => {
  const { rows, next_cursor } = await readPage(
    body,
    (cursor, limit) => {
      const before = readTimeCursor('end-users', cursor)
      return body.client_user_id === undefined
        ? listEndUserPage(ctx, before, limit)
        : listByClientUserId(ctx, body.client_user_id)
    },
    ({ created_at, user_id }) => toTimeCursor('end-users', { at: created_at, id: user_id }),
  )
  return { users: rows.map(toDashboardEndUser), next_cursor }
}
dashboardEndUserList.reads = true
