import { insertRows } from '../db/insert-rows.ts'
import type { Context } from '../kernel/context.ts'
import type { Queries } from '../kernel/database.ts'

/** An issued token, with the clock offset of its client. */
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
  /** The only server that accepts it; null for all operations. */
  resource: string | null
  expires_at: number
  revoked_at: string | null
  clock_offset_ms: number
}

const own = `t.client_id, t.token_id, t.kind, t.parent_id, t.scopes, t.parties, t.user_id,
  t.user_client_id, t.resource, t.expires_at, t.revoked_at`
const columns = `${own}, c.clock_offset_ms`

/** The token with a hash, of any client. `token.ts` decides what the caller may do with it. */
export const findToken = (db: Queries, tokenHash: string) =>
  db.first<TokenRow>(
    `select ${columns} from oauth_tokens t join clients c on c.client_id = t.client_id
      where t.token_hash = $1`,
    [tokenHash],
  )

/**
 * The same, locked against revocation until the commit. Its tokens may belong to several clients,
 * whose writes do not otherwise wait for each other.
 */
export const lockToken = (db: Queries, tokenHash: string) =>
  db.first<TokenRow>(
    `select ${columns}
      from (select ${own} from oauth_tokens t where t.token_hash = $1 ${db.forUpdate}) t
        join clients c on c.client_id = t.client_id`,
    [tokenHash],
  )

/** A token to be written. */
export interface NewToken {
  client_id: string
  token_id: string
  token_hash: string
  kind: TokenRow['kind']
  parent_id: string | null
  scopes: readonly string[]
  parties: readonly string[]
  user: { user_id: string; client_id: string } | null
  resource: string | null
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

/** Writes a pair in one statement. */
export async function insertTokens(
  ctx: Context,
  [one, other]: readonly [NewToken, NewToken],
): Promise<void> {
  await insertRows(ctx.db, 'oauth_tokens', [toColumns(ctx, one), toColumns(ctx, other)])
}

/** Revokes a token and all tokens derived from it, of all clients. */
export async function revokeTokens(
  ctx: Context,
  token: Pick<TokenRow, 'client_id' | 'token_id'>,
): Promise<void> {
  // Waits for transactions that hold a lock on such a token to issue others. Only the next
  // statement sees the tokens that they issue.
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
