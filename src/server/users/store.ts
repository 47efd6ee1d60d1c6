import type { Context } from '../context.ts'

/** A user, as far as other tags need to know them. */
export interface UserRow {
  user_id: string
  client_user_id: string
}

export const findUserByToken = (ctx: Context, token: string) =>
  ctx.db.first<UserRow>(
    'select user_id, client_user_id from users where client_id = $1 and user_token_hash = $2',
    [ctx.client.client_id, ctx.keys.hash(token)],
  )

export const findUserByClientUserId = (ctx: Context, clientUserId: string) =>
  ctx.db.first<UserRow>(
    'select user_id, client_user_id from users where client_id = $1 and client_user_id = $2',
    [ctx.client.client_id, clientUserId],
  )
