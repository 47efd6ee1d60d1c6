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
  /** Whether a reset of the sandbox deletes the user. */
  isTestData?: boolean
}

/**
 * Writes a dashboard user, invited now unless the description says otherwise. A user who is there already
 * stays as they are.
 */
export async function insertDashboardUser(
  ctx: Context,
  user: NewDashboardUser,
): Promise<DashboardUser['id']> {
  const { id = ctx.newId('dashboard_user'), created_at = ctx.now, status = 'invited' } = user
  await ctx.own.run(
    `insert into dashboard_users
       (client_id, id, sequence, created_at, email_address, status, is_test_data)
     values ($1, $2,
       (select coalesce(max(sequence), 0) + 1 from dashboard_users
         where client_id = $1 and created_at = $3),
       $3, $4, $5, $6)
     on conflict (client_id, id) do nothing`,
    [id, created_at, user.email_address, status, user.isTestData ? 1 : 0],
  )
  return id
}

/** Deletes the users that a reset creates again or that a test has created. People keep their access. */
export const deleteTestUsers = (ctx: Context): Promise<number> =>
  ctx.own.run('delete from dashboard_users where client_id = $1 and is_test_data = 1')
