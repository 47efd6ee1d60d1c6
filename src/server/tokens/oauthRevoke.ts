import { ApiError } from '../kernel/errors.ts'
import type { HandlerOf } from '../kernel/operation.ts'
import { findToken, revokeTokens } from './store.ts'
import { canRevoke } from './token.ts'

export const oauthRevoke: HandlerOf<'oauthRevoke'> = async (ctx, { body }) => {
  const token = await findToken(ctx.db, ctx.keys.hash(body.token))
  // RFC 7009: revoking an unknown token succeeds.
  if (!token) return {}
  if (!canRevoke(token, ctx.client.client_id)) throw new ApiError('oauth.unauthorized_client')
  // Expired tokens too, since tokens derived from them can still be valid.
  await revokeTokens(ctx, token)
  return {}
}
