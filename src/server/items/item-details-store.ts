import type { Context } from '../kernel/context.ts'

/** The last webhook about an Item that was attempted. */
export interface LastWebhook {
  webhook_code: string
  /** In ms by the client's clock. */
  attempted_at: number
}

export const findLastWebhook = (ctx: Context, itemId: string) =>
  ctx.own.first<LastWebhook>(
    `select d.webhook_code, (select max(attempted_at) from webhook_attempts a
          where a.client_id = d.client_id and a.webhook_id = d.webhook_id) as attempted_at
      from webhook_deliveries d
      where d.client_id = $1 and d.item_id = $2 and exists (select 1 from webhook_attempts a
        where a.client_id = d.client_id and a.webhook_id = d.webhook_id)
      order by d.sequence desc limit 1`,
    [itemId],
  )

/** Puts another access token in the place of the one with a hash. Returns false if it is gone. */
export const replaceAccessToken = async (
  ctx: Context,
  itemId: string,
  tokens: { old: string; new: string },
): Promise<boolean> =>
  (await ctx.own.run(
    `update items set access_token_hash = $4
      where client_id = $1 and item_id = $2 and access_token_hash = $3 and removed_at is null`,
    [itemId, ctx.keys.hash(tokens.old), ctx.keys.hash(tokens.new)],
  )) > 0

/** Ends the public tokens of an Item, which stand for its access token. */
export async function deletePublicTokens(ctx: Context, itemId: string): Promise<void> {
  await ctx.own.run('delete from public_tokens where client_id = $1 and item_id = $2', [itemId])
}

/** Gives an Item a new access token, whatever the one before is, which ends at once. */
export async function setAccessToken(
  ctx: Context,
  itemId: string,
  accessToken: string,
): Promise<void> {
  await ctx.own.run(
    'update items set access_token_hash = $3 where client_id = $1 and item_id = $2',
    [itemId, ctx.keys.hash(accessToken)],
  )
}
