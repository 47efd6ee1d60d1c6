import type { DashboardTeamUser } from '../../../../generated/dashboard/closed.ts'
import { ApiError } from '../../kernel/errors.ts'
import { toTimestamp } from '../../kernel/time.ts'
import { createSignInLink, linkLifetimeMs } from '../../users/dashboard-sign-in.ts'
import type { PageContext } from '../page-handler.ts'
import { deleteLinksOf, findTeamUser, type TeamRow } from './store.ts'

/** A user as the page shows them. */
export const toTeamUser = (row: TeamRow, { session, client }: PageContext): DashboardTeamUser => ({
  user_id: row.user_id,
  email_address: row.email_address,
  role: row.role,
  status: row.status,
  created_at: row.created_at,
  sessions: Number(row.sessions),
  link_expires_at: row.link_expires_at === null ? null : toTimestamp(Number(row.link_expires_at)),
  at_provider: row.at_provider === 1,
  is_self: session.client_id === client.client_id && session.user_id === row.user_id,
})

export async function requireTeamUser(ctx: PageContext, userId: string): Promise<TeamRow> {
  const user = await findTeamUser(ctx, ctx.service.clock(), userId)
  if (!user) throw new ApiError('OBJECT_NOT_FOUND')
  return user
}

/** A new link for a user, in place of those that nobody opened. */
export async function createTeamLink(
  ctx: PageContext,
  user_id: string,
): Promise<{ link: string; link_expires_at: string }> {
  const { client_id } = ctx.client
  const now = ctx.service.clock()
  await deleteLinksOf(ctx, user_id)
  const path = await createSignInLink({ keys: ctx.keys, now }, ctx.db, { client_id, user_id })
  return { link: ctx.publicUrl + path, link_expires_at: toTimestamp(now + linkLifetimeMs) }
}
