import { ApiError } from '../../kernel/errors.ts'
import type { PageHandler } from '../page-handler.ts'
import { recordLook } from '../record-look.ts'
import { toDashboardEndUser, toDashboardEndUserItems, toDashboardIdentity } from './end-user.ts'
import { listItemsOfUser } from './store.ts'

export const dashboardEndUserGet: PageHandler<'dashboardEndUserGet'> = async (ctx, { body }) => {
  const rows = await listItemsOfUser(ctx, body.user_id)
  const [row] = rows
  if (!row) throw new ApiError('OBJECT_NOT_FOUND')
  if (ctx.seesPersonalData) await recordLook(ctx, 'end-user.view', body.user_id)
  return {
    user: toDashboardEndUser(row),
    end_customer: row.end_customer,
    identity: ctx.seesPersonalData ? toDashboardIdentity(row, ctx.keys) : null,
    items: toDashboardEndUserItems(rows),
  }
}
dashboardEndUserGet.reads = true
