import type { DashboardUser, DashboardUserStatus } from '#contract/closed.ts'
import type { Context } from '../kernel/context.ts'

export interface DashboardUserRow {
  id: string
  sequence: number
  created_at: string
  email_address: string
  status: DashboardUserStatus
}

const columns = 'id, sequence, created_at, email_address, status'

export const findDashboardUser = (ctx: Context, id: string) =>
  ctx.own.first<DashboardUserRow>(
    `select ${columns} from dashboard_users where client_id = $1 and id = $2`,
    [id],
  )

/** Dashboard users in the order of their creation, after one of them or from the first on. */
export const listDashboardUsers = (
  ctx: Context,
  after: Pick<DashboardUserRow, 'created_at' | 'sequence'> | undefined,
  limit: number,
) =>
  ctx.own.all<DashboardUserRow>(
    `select ${columns} from dashboard_users
      where client_id = $1 and (created_at, sequence) > ($2, $3)
      order by created_at, sequence limit $4`,
    [after?.created_at ?? '', after?.sequence ?? 0, limit],
  )

/** Everything that a dashboard user can be made of. */
interface NewDashboardUser {
  id?: string
  created_at?: string
  email_address: string
  status?: DashboardUserStatus
}

/** Writes a dashboard user, invited now unless the description says otherwise. */
export async function insertDashboardUser(
  ctx: Context,
  user: NewDashboardUser,
): Promise<DashboardUser['id']> {
  const { id = ctx.newId('dashboard_user'), created_at = ctx.now, status = 'invited' } = user
  await ctx.own.run(
    `insert into dashboard_users (client_id, id, sequence, created_at, email_address, status)
     values ($1, $2,
       (select coalesce(max(sequence), 0) + 1 from dashboard_users
         where client_id = $1 and created_at = $3),
       $3, $4, $5)`,
    [id, created_at, user.email_address, status],
  )
  return id
}
