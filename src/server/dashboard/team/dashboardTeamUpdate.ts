import { ApiError } from '../../kernel/errors.ts'
import { updateUser } from '../../users/dashboard-access-store.ts'
import { auditPage } from '../audit-page.ts'
import type { PageBody, PageHandler } from '../page-handler.ts'
import { deleteLinksOf, endSessionsOf, hasOtherAdmin, type TeamRow } from './store.ts'
import { requireTeamUser, toTeamUser } from './team-user.ts'

/** Changes of one client's users run one after the other, so two admins cannot remove each other. */
export const dashboardTeamUpdate: PageHandler<'dashboardTeamUpdate'> = async (ctx, { body }) => {
  const user = await requireTeamUser(ctx, body.user_id)
  const before = { role: user.role, status: user.status }
  const after = { role: body.role ?? user.role, status: nextStatus(user, body.disabled) }
  const staysAdmin = after.role === 'admin' && after.status === 'active'
  if (isActiveAdmin(before) && !staysAdmin && !(await hasOtherAdmin(ctx, user.user_id))) {
    throw new ApiError('LAST_ADMIN')
  }
  const { client_id } = ctx.client
  await updateUser(ctx.db, { client_id, user_id: user.user_id }, after)
  if (after.status === 'deactivated') {
    await endSessionsOf(ctx, user.user_id)
    await deleteLinksOf(ctx, user.user_id)
  }
  await auditPage(ctx, 'dashboard-user.update', user.user_id, { before, after })
  return { user: toTeamUser(await requireTeamUser(ctx, user.user_id), ctx) }
}

const isActiveAdmin = ({ role, status }: Pick<TeamRow, 'role' | 'status'>): boolean =>
  role === 'admin' && status === 'active'

/** A user who is enabled again is invited until they sign in: it is not stored whether they ever did. */
function nextStatus(
  { status }: TeamRow,
  disabled: PageBody<'dashboardTeamUpdate'>['disabled'],
): TeamRow['status'] {
  if (disabled === undefined) return status
  if (disabled) return 'deactivated'
  return status === 'deactivated' ? 'invited' : status
}
