import { invalidField } from '../../kernel/errors.ts'
import { updateUser } from '../../users/dashboard-access-store.ts'
import { insertDashboardUser } from '../../users/dashboard-store.ts'
import { auditPage } from '../audit-page.ts'
import type { PageHandler } from '../page-handler.ts'
import { isAddressTaken } from './store.ts'
import { createTeamLink, requireTeamUser, toTeamUser } from './team-user.ts'

export const dashboardTeamInvite: PageHandler<'dashboardTeamInvite'> = async (ctx, { body }) => {
  const { email_address, role } = body
  // Two users of one address could not sign in at an identity provider.
  if (await isAddressTaken(ctx, email_address)) {
    throw invalidField('`email_address` must not be that of a user who may sign in already')
  }
  const user_id = await insertDashboardUser(ctx, { email_address })
  await updateUser(
    ctx.db,
    { client_id: ctx.client.client_id, user_id },
    { role, status: 'invited' },
  )
  const link = await createTeamLink(ctx, user_id)
  await auditPage(ctx, 'dashboard-user.create', user_id, { role })
  return { user: toTeamUser(await requireTeamUser(ctx, user_id), ctx), ...link }
}
