import { invalidField } from '../../kernel/errors.ts'
import { auditPage } from '../audit-page.ts'
import type { PageHandler } from '../page-handler.ts'
import { createTeamLink, requireTeamUser } from './team-user.ts'

export const dashboardTeamLinkCreate: PageHandler<'dashboardTeamLinkCreate'> = async (
  ctx,
  { body },
) => {
  const user = await requireTeamUser(ctx, body.user_id)
  if (user.status === 'deactivated') {
    throw invalidField('`user_id` must be a user who is not disabled')
  }
  const link = await createTeamLink(ctx, user.user_id)
  await auditPage(ctx, 'dashboard-user.sign-in', user.user_id)
  return link
}
