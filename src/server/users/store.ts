import type { ConsumerReportUserIdentityInput, UserIdentityInput } from '#contract/closed.ts'
import type { Context } from '../kernel/context.ts'
import { ApiError } from '../kernel/errors.ts'

/** A user, without what is known of their identity. */
interface UserRow {
  user_id: string
  client_user_id: string
  end_customer: string | null
  created_at: string
}

const columns = 'user_id, client_user_id, end_customer, created_at'

const findBy = (ctx: Context, column: string, value: string) =>
  ctx.own.first<UserRow>(`select ${columns} from users where client_id = $1 and ${column} = $2`, [
    value,
  ])

export const findUserById = (ctx: Context, userId: string) => findBy(ctx, 'user_id', userId)

export const findUserByClientUserId = (ctx: Context, clientUserId: string) =>
  findBy(ctx, 'client_user_id', clientUserId)

/** The user that a token of `/user/create` stands for. */
export const findUserByToken = (ctx: Context, userToken: string) =>
  findBy(ctx, 'user_token_hash', ctx.keys.hash(userToken))

export async function requireUserById(ctx: Context, userId: string): Promise<UserRow> {
  const user = await findUserById(ctx, userId)
  if (!user) throw new ApiError('USER_NOT_FOUND')
  return user
}

export async function requireUserByToken(ctx: Context, userToken: string): Promise<UserRow> {
  const user = await findUserByToken(ctx, userToken)
  if (!user) throw new ApiError('INVALID_USER_TOKEN')
  return user
}

/** Everything that a user can be made of. */
interface NewUser {
  user_id?: string
  user_token?: string
  client_user_id: string
  end_customer?: string | null
  identity?: UserIdentityInput | null
  consumer_report_user_identity?: ConsumerReportUserIdentityInput | null
}

/** The two names of a new user; the token is told only here. */
interface CreatedUser {
  user_id: string
  user_token: string
}

/** Writes a user; where the client has one of this `client_user_id`, nothing is written. */
export async function insertUser(ctx: Context, user: NewUser): Promise<CreatedUser | undefined> {
  const { user_id = ctx.newId('user'), user_token = ctx.newId('user_token') } = user
  const { id_numbers = [], ...identity } = user.identity ?? {}
  const { ssn_full, ssn_last_4, ...reportIdentity } = user.consumer_report_user_identity ?? {}
  const encrypted = (value: string | null | undefined) => (value ? ctx.keys.encrypt(value) : null)
  const written = await ctx.own.run(
    `insert into users
       (client_id, user_id, client_user_id, user_token_hash, end_customer, identity,
        consumer_report_user_identity, ssn_full, ssn_last_4, id_numbers, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
     on conflict (client_id, client_user_id) do nothing`,
    [
      user_id,
      user.client_user_id,
      ctx.keys.hash(user_token),
      user.end_customer ?? null,
      user.identity ? JSON.stringify(identity) : null,
      user.consumer_report_user_identity ? JSON.stringify(reportIdentity) : null,
      encrypted(ssn_full),
      encrypted(ssn_last_4),
      id_numbers.length > 0 ? ctx.keys.encrypt(JSON.stringify(id_numbers)) : null,
      ctx.now,
    ],
  )
  return written === 0 ? undefined : { user_id, user_token }
}
