import type { DashboardUserStatus } from '#contract/closed.ts'
import type { DashboardRole } from '../../../generated/dashboard/closed.ts'
import { insertRows } from '../db/insert-rows.ts'
import type { Queries } from '../kernel/database.ts'

/** Names a user: an operator belongs to no client, and has an empty `client_id`. */
export interface UserKey {
  client_id: string
  user_id: string
}

/** A user who may sign in. */
export interface DashboardAccess extends UserKey {
  email_address: string | null
  role: DashboardRole
  status: DashboardUserStatus
  created_at: string
}

/** A session with its user. */
export interface SessionRow extends Omit<DashboardAccess, 'created_at'> {
  /** In real ms. */
  ends_at: number
}

const ofUser = `coalesce(users.email_address, operators.email_address) as email_address,
  coalesce(users.role, operators.role) as role,
  coalesce(users.status, case when operators.disabled_at is null then 'active' else 'deactivated' end)
    as status`

const joinUser = (table: string): string =>
  `left join dashboard_users as users on users.client_id = ${table}.client_id
      and users.id = ${table}.user_id
    left join dashboard_operators as operators on ${table}.client_id = ''
      and operators.id = ${table}.user_id`

/** A session that has not ended, by its hash. */
export const findSession = (db: Queries, sessionHash: string, now: number) =>
  db.first<SessionRow>(
    `select sessions.client_id, sessions.user_id, ends_at, ${ofUser}
      from dashboard_sessions as sessions ${joinUser('sessions')}
      where session_hash = $1 and ends_at > $2`,
    [sessionHash, now],
  )

interface NewSession extends UserKey {
  session_hash: string
  created_at: string
  ends_at: number
  address: string
}

export const insertSession = (db: Queries, session: NewSession): Promise<number> =>
  insertRows(db, 'dashboard_sessions', [{ ...session }])

export const deleteSession = (db: Queries, sessionHash: string): Promise<number> =>
  db.run('delete from dashboard_sessions where session_hash = $1', [sessionHash])

/** Ends all sessions of a user, and takes their unused links back. */
export async function deleteSessionsOf(db: Queries, user: UserKey): Promise<void> {
  const values = [user.client_id, user.user_id]
  await db.run('delete from dashboard_sessions where client_id = $1 and user_id = $2', values)
  await db.run('delete from dashboard_sign_in_keys where client_id = $1 and user_id = $2', values)
}

/** Deletes sessions and links that have ended. */
export async function deleteEnded(db: Queries, now: number): Promise<void> {
  await db.run('delete from dashboard_sessions where ends_at <= $1', [now])
  await db.run('delete from dashboard_sign_in_keys where expires_at <= $1', [now])
}

interface NewSignInKey extends UserKey {
  key_hash: string
  expires_at: number
}

/** Returns how many rows were inserted: none, where the key is there and `conflict` accepts that. */
export const insertSignInKey = (db: Queries, key: NewSignInKey, conflict = ''): Promise<number> =>
  insertRows(db, 'dashboard_sign_in_keys', [{ ...key }], conflict)

/** The user of a link that has not expired. */
export const findSignInKey = (db: Queries, keyHash: string, now: number) =>
  db.first<Omit<SessionRow, 'ends_at'>>(
    `select links.client_id, links.user_id, ${ofUser}
      from dashboard_sign_in_keys as links ${joinUser('links')}
      where key_hash = $1 and expires_at > $2`,
    [keyHash, now],
  )

/** Returns whether the link was there: of two uses at once, one deletes it. */
export const deleteSignInKey = async (db: Queries, keyHash: string): Promise<boolean> =>
  (await db.run('delete from dashboard_sign_in_keys where key_hash = $1', [keyHash])) > 0

/** Keeps a user in a reset of the sandbox, since a person has the access now. */
export const keepInReset = (db: Queries, { client_id, user_id }: UserKey): Promise<number> =>
  db.run('update dashboard_users set is_test_data = 0 where client_id = $1 and id = $2', [
    client_id,
    user_id,
  ])

/** A user of a client, or an operator. */
export const findAccess = (db: Queries, userId: string) =>
  db.first<DashboardAccess>(
    `select client_id, id as user_id, email_address, role, status, created_at
      from dashboard_users where id = $1
     union all
     select '' as client_id, id as user_id, email_address, role,
        case when disabled_at is null then 'active' else 'deactivated' end as status, created_at
      from dashboard_operators where id = $1`,
    [userId],
  )

/** A user as a sign-in at the identity provider finds them. */
export type SubjectAccess = Omit<DashboardAccess, 'created_at'>

const accessBy = (users: string, operators: string): string =>
  `select client_id, id as user_id, email_address, role, status from dashboard_users where ${users}
   union all
   select '' as client_id, id as user_id, email_address, role,
      case when disabled_at is null then 'active' else 'deactivated' end as status
    from dashboard_operators where ${operators}`

/** Who is known by the provider's name for them. */
export const findAccessBySubject = (db: Queries, subjectHash: string) =>
  db.first<SubjectAccess>(accessBy('subject_hash = $1', 'subject_hash = $1'), [subjectHash])

/** Who has an address, may sign in, and has not done so at the provider. Two say that there are several. */
export const findAccessByEmail = (db: Queries, email: string) =>
  db.all<SubjectAccess>(
    `${accessBy(
      "lower(email_address) = $1 and subject_hash is null and status <> 'deactivated'",
      'lower(email_address) = $1 and subject_hash is null and disabled_at is null',
    )} limit 2`,
    [email],
  )

/** From now on the user is known by the provider's name for them. */
export async function bindSubject(
  db: Queries,
  { client_id, user_id }: UserKey,
  subjectHash: string,
): Promise<void> {
  if (client_id === '') {
    await db.run('update dashboard_operators set subject_hash = $2 where id = $1', [
      user_id,
      subjectHash,
    ])
  } else {
    await db.run(
      `update dashboard_users set subject_hash = $3, is_test_data = 0
        where client_id = $1 and id = $2`,
      [client_id, user_id, subjectHash],
    )
  }
}

/** All users of the dashboard, operators included. */
export const listAccess = (db: Queries) =>
  db.all<DashboardAccess>(
    `select client_id, id as user_id, email_address, role, status, created_at
      from dashboard_users
     union all
     select '' as client_id, id as user_id, email_address, role,
        case when disabled_at is null then 'active' else 'deactivated' end as status, created_at
      from dashboard_operators
     order by client_id, created_at, user_id`,
  )

export async function updateUser(
  db: Queries,
  { client_id, user_id }: UserKey,
  { role, status }: Pick<DashboardAccess, 'role' | 'status'>,
): Promise<void> {
  await db.run(
    `update dashboard_users set role = $3, status = $4, is_test_data = 0
      where client_id = $1 and id = $2`,
    [client_id, user_id, role, status],
  )
}

interface NewOperator {
  id: string
  created_at: string
  email_address: string | null
  role: DashboardRole
}

/** Does nothing where there is one with this id. */
export const insertOperator = (db: Queries, operator: NewOperator): Promise<number> =>
  insertRows(
    db,
    'dashboard_operators',
    [{ ...operator, disabled_at: null }],
    'on conflict do nothing',
  )

export async function updateOperator(
  db: Queries,
  id: string,
  { role, disabled_at }: { role: DashboardRole; disabled_at: string | null },
): Promise<void> {
  await db.run('update dashboard_operators set role = $2, disabled_at = $3 where id = $1', [
    id,
    role,
    disabled_at,
  ])
}
