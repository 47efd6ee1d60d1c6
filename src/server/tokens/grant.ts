import type { IssuedTokenType } from '#contract/closed.ts'
import type { BearerToken, ClientRow, Context } from '../kernel/context.ts'
import type { BodyOf } from '../kernel/operation.ts'
import type { Scope } from './scope.ts'
import { lockToken, type TokenRow } from './store.ts'
import { canUse } from './token.ts'

export type TokenRequest = BodyOf<'oauthToken'>

/** The properties of new tokens, and their source. */
export interface Grant {
  /** The client whose clock determines their expiry. */
  owner: Pick<ClientRow, 'client_id' | 'clock_offset_ms'>
  parties: readonly string[]
  scopes: readonly Scope[]
  user: BearerToken['user']
  /** The refresh token whose revocation also revokes them. */
  parent_id: string | null
  /** The only server that accepts them (RFC 8707); null for all operations. */
  resource: string | null
  /** Present when another token was exchanged. */
  issued_token_type?: IssuedTokenType
}

/** A refresh token that this client may use now. It is locked until the commit. */
export async function findRefreshToken(
  ctx: Context,
  token: string | undefined,
): Promise<TokenRow | undefined> {
  if (token === undefined) return undefined
  const row = await lockToken(ctx.db, ctx.keys.hash(token))
  const presenter = { client: ctx.client, now: Date.parse(ctx.now) }
  return row?.kind === 'refresh' && canUse(row, presenter) ? row : undefined
}
