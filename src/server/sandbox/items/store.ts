import type { Context } from '../../kernel/context.ts'

export async function insertPublicToken(
  ctx: Context,
  token: { public_token: string; item_id: string; access_token: string },
): Promise<void> {
  await ctx.db.run(
    `insert into public_tokens (client_id, token_hash, item_id, access_token)
     values ($1, $2, $3, $4)`,
    [
      ctx.client.client_id,
      ctx.keys.hash(token.public_token),
      token.item_id,
      ctx.keys.encrypt(token.access_token),
    ],
  )
}

/** Deletes a public token. Returns undefined if it is unknown or already used. */
export async function takePublicToken(
  ctx: Context,
  publicToken: string,
): Promise<{ item_id: string; access_token: string } | undefined> {
  const row = await ctx.db.first<{ item_id: string; access_token: string }>(
    `delete from public_tokens where client_id = $1 and token_hash = $2
      returning item_id, access_token`,
    [ctx.client.client_id, ctx.keys.hash(publicToken)],
  )
  return row && { ...row, access_token: ctx.keys.decrypt(row.access_token) }
}
