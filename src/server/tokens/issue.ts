import type { Context } from '../kernel/context.ts'
import { dayMs } from '../kernel/time.ts'
import type { Grant } from './grant.ts'
import { insertTokens, type NewToken } from './store.ts'

/** The lifetime of an access token in seconds. */
export const accessTokenSeconds = 900
const refreshTokenMs = 30 * dayMs

/** A new pair, in plain text only in this response. */
interface TokenPair {
  access_token: string
  refresh_token: string
}

/**
 * Writes a new pair. The access token is a child of the refresh token, so revoking the refresh
 * token revokes both.
 */
export async function issueTokens(ctx: Context, grant: Grant): Promise<TokenPair> {
  const refreshToken = ctx.newId('oauth_refresh_token')
  const accessToken = ctx.newId('oauth_access_token')
  const now = Date.parse(ctx.now) - ctx.client.clock_offset_ms + grant.owner.clock_offset_ms
  const refresh: NewToken = {
    client_id: grant.owner.client_id,
    token_id: ctx.newId('row'),
    token_hash: ctx.keys.hash(refreshToken),
    kind: 'refresh',
    parent_id: grant.parent_id,
    scopes: grant.scopes,
    parties: grant.parties,
    user: grant.user,
    resource: grant.resource,
    expires_at: now + refreshTokenMs,
  }
  const access: NewToken = {
    ...refresh,
    token_id: ctx.newId('row'),
    token_hash: ctx.keys.hash(accessToken),
    kind: 'access',
    parent_id: refresh.token_id,
    expires_at: now + accessTokenSeconds * 1000,
  }
  await insertTokens(ctx, [refresh, access])
  return { access_token: accessToken, refresh_token: refreshToken }
}
