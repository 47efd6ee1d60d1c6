import type { Context } from '../kernel/context.ts'

interface PublicToken {
  public_token: string
  item_id: string
  access_token: string
}

const publicTokenLifeMs = 30 * 60 * 1000

/** Writes a public token, which can be exchanged once until it expires. */
export async function insertPublicToken(ctx: Context, token: PublicToken): Promise<void> {
  await ctx.own.run(
    `insert into public_tokens (client_id, token_hash, item_id, access_token, expires_at)
     values ($1, $2, $3, $4, $5)`,
    [
      ctx.keys.hash(token.public_token),
      token.item_id,
      ctx.keys.encrypt(token.access_token),
      ctx.nowMs + publicTokenLifeMs,
    ],
  )
}

/** Deletes a public token. Returns undefined if it is unknown, already used or expired. */
export async function takePublicToken(
  ctx: Context,
  publicToken: string,
): Promise<Pick<PublicToken, 'item_id' | 'access_token'> | undefined> {
  const row = await ctx.own.first<{ item_id: string; access_token: string }>(
    `delete from public_tokens where client_id = $1 and token_hash = $2
        and (expires_at is null or expires_at > $3)
      returning item_id, access_token`,
    [ctx.keys.hash(publicToken), ctx.nowMs],
  )
  return row && { ...row, access_token: ctx.keys.decrypt(row.access_token) }
}
