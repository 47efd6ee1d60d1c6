import type { DashboardUserStatus } from '#contract/closed.ts'
import type { DashboardRole } from '../../../../generated/dashboard/closed.ts'
import type { Context } from '../../kernel/context.ts'
import type { Value } from '../../kernel/database.ts'

/** A user of the client, with what is open of theirs. */
export interface TeamRow {
  user_id: string
  sequence: number
  email_address: string
  role: DashboardRole
  status: DashboardUserStatus
  created_at: string
  sessions: number
  link_expires_at: number | null
  at_provider: number
}

/** More sessions of a user are not counted. */
const mostSessions = 100

const teamColumns = `users.id as user_id, users.sequence, users.email_address, users.role,
  users.status, users.created_at, case when subject_hash is null then 0 else 1 end as at_provider,
  (select count(*) from (select 1 from dashboard_sessions as sessions
    where sessions.client_id = $1 and sessions.user_id = users.id and ends_at > $2
    limit ${mostSessions}) as counted) as sessions,
  (select max(expires_at) from dashboard_sign_in_keys as links where links.client_id = $1
    and links.user_id = users.id and expires_at > $2) as link_expires_at`

/** Users of the client after one of them, in the order of their creation. */
export const listTeam = (
  ctx: Context,
  now: number,
  after: { created_at: string; sequence: number },
  limit: number,
) =>
  ctx.own.all<TeamRow>(
    `select ${teamColumns} from dashboard_users as users
      where users.client_id = $1 and (users.created_at, users.sequence) > ($3, $4)
      order by users.created_at, users.sequence limit $5`,
    [now, after.created_at, after.sequence, limit],
  )

export const findTeamUser = (ctx: Context, now: number, userId: string) =>
  ctx.own.first<TeamRow>(
    `select ${teamColumns} from dashboard_users as users
      where users.client_id = $1 and users.id = $3`,
    [now, userId],
  )

/** Whether another user of the client who may sign in has an address. */
export const isAddressTaken = async (ctx: Context, email: string): Promise<boolean> =>
  (await ctx.own.first(
    `select 1 as found from dashboard_users where client_id = $1
      and lower(email_address) = $2 and status <> 'deactivated'`,
    [email.toLowerCase()],
  )) !== undefined

/** Whether an admin is left beside a user. An invited one may never come. */
export async function hasOtherAdmin(ctx: Context, userId: string): Promise<boolean> {
  const admins = await ctx.own.all<{ id: string }>(
    `select id from dashboard_users
      where client_id = $1 and role = 'admin' and status = 'active' order by id limit 2`,
  )
  return admins.some(({ id }) => id !== userId)
}

interface TeamSessionRow {
  session_hash: string
  user_id: string
  email_address: string
  created_at: string
  ends_at: number
  address: string
}

/** Sessions of the client before one of them, the one that ends last first. */
export const listTeamSessions = (
  ctx: Context,
  now: number,
  before: { ends_at: number; session_hash: string },
  limit: number,
) =>
  ctx.own.all<TeamSessionRow>(
    `select session_hash, user_id, email_address, sessions.created_at, ends_at, address
      from dashboard_sessions as sessions
        join dashboard_users as users on users.client_id = $1 and users.id = user_id
      where sessions.client_id = $1 and ends_at > $2 and (ends_at, session_hash) < ($3, $4)
      order by ends_at desc, session_hash desc limit $5`,
    [now, before.ends_at, before.session_hash, limit],
  )

const endBy = (ctx: Context, condition: string, values: Value[]) =>
  ctx.own.all<{ user_id: string }>(
    `delete from dashboard_sessions where client_id = $1 and ${condition} returning user_id`,
    values,
  )

/** Returns whose session it was, a row for each that ended. */
export const endSession = (ctx: Context, sessionHash: string) =>
  endBy(ctx, 'session_hash = $2', [sessionHash])

export const endSessionsOf = (ctx: Context, userId: string) => endBy(ctx, 'user_id = $2', [userId])

/** Takes links of a user back that nobody opened. */
export const deleteLinksOf = (ctx: Context, userId: string) =>
  ctx.own.run('delete from dashboard_sign_in_keys where client_id = $1 and user_id = $2', [userId])
