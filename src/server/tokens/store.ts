import { insertRows } from '../db/insert-rows.ts'
import type { Context } from '../kernel/context.ts'
import type { Queries } from '../kernel/database.ts'

/** An issued token, with what its client's clock is ahead of the real one. */
export interface TokenRow {
  client_id: string
  token_id: string
  kind: 'access' | 'refresh'
  parent_id: string | null
  /** A JSON array, as `parties`. */
  scopes: string
  parties: string
  user_id: string | null
  user_client_id: string | null
  expires_at: number
  revoked_at: string | null
  clock_offset_ms: number
}

const own = `t.client_id, t.token_id, t.kind, t.parent_id, t.scopes, t.parties, t.user_id,
  t.user_client_id, t.expires_at, t.revoked_at`
const columns = `${own}, c.clock_offset_ms`

/** The token of a hash, of any client. `token.ts` decides what the caller may do with it. */
export const findToken = (db: Queries, tokenHash: string) =>
  db.first<TokenRow>(
    `select ${columns} from oauth_tokens t join clients c on c.client_id = t.client_id
      where t.token_hash = $1`,
    [tokenHash],
  )

/**
 * The same, which nobody revokes until the commit: its tokens may belong to several clients, whose
 * writes do not wait for each other otherwise.
 */
export const lockToken = (db: Queries, tokenHash: string) =>
  db.first<TokenRow>(
    `select ${columns}
      from (select ${own} from oauth_tokens t where t.token_hash = $1 ${db.forUpdate}) t
        join clients c on c.client_id = t.client_id`,
    [tokenHash],
  )

/** A token as it is written. */
export interface NewToken {
  client_id: string
  token_id: string
  token_hash: string
  kind: TokenRow['kind']
  parent_id: string | null
  scopes: readonly string[]
  parties: readonly string[]
  user: { user_id: string; client_id: string } | null
  expires_at: number
}

const toColumns = (ctx: Context, { user, ...token }: NewToken) => ({
  ...token,
  scopes: JSON.stringify(token.scopes),
  parties: JSON.stringify(token.parties),
  user_id: user?.user_id ?? null,
  user_client_id: user?.client_id ?? null,
  created_at: ctx.now,
})

/** Writes a pair at once. */
export async function insertTokens(
  ctx: Context,
  [one, other]: readonly [NewToken, NewToken],
): Promise<void> {
  await insertRows(ctx.db, 'oauth_tokens', [toColumns(ctx, one), toColumns(ctx, other)])
}

/** Revokes a token and all that came from it, in whatever client. */
export async function revokeTokens(
  ctx: Context,
  token: Pick<TokenRow, 'client_id' | 'token_id'>,
): Promise<void> {
  // It waits for those who have locked one of them to issue tokens, which only the next one sees.
  while ((await revokeKnown(ctx, token)) > 0);
}

const revokeKnown = (
  ctx: Context,
  { client_id, token_id }: Pick<TokenRow, 'client_id' | 'token_id'>,
): Promise<number> =>
  ctx.db.run(
    `with recursive family (client_id, token_id) as (
       select client_id, token_id from oauth_tokens where client_id = $1 and token_id = $2
       union
       select t.client_id, t.token_id from oauth_tokens t join family f on t.parent_id = f.token_id
     )
     update oauth_tokens set revoked_at = $3
      where revoked_at is null
        and (client_id, token_id) in (select client_id, token_id from family)`,
    [client_id, token_id, ctx.now],
  )
