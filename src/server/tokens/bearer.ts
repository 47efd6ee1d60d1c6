import type { BearerToken } from '../kernel/context.ts'
import type { Queries } from '../kernel/database.ts'
import { ApiError } from '../kernel/errors.ts'
import { findToken } from './store.ts'
import { canUse, type Presenter, scopesOfToken, userOf } from './token.ts'

interface PresentedToken extends Presenter {
  tokenHash: string
  /** Called if the token does not exist and did not exist recently. */
  onUnknown?(): void
}

/**
 * The grant of a bearer token. Throws if the token is unknown, of another client, expired or
 * revoked.
 */
export async function authenticateBearerToken(
  db: Queries,
  presented: PresentedToken,
): Promise<BearerToken> {
  const token = await findToken(db, presented.tokenHash)
  if (!token) presented.onUnknown?.()
  if (token?.kind !== 'access' || !canUse(token, presented)) {
    throw new ApiError('INVALID_INPUT.INVALID_ACCESS_TOKEN.401')
  }
  // A server that got the token from an agent could use it here otherwise.
  if (token.resource !== null) {
    const message = 'the bearer token was made for `/mcp`; get one without the field `resource`'
    throw new ApiError('INVALID_INPUT.INVALID_ACCESS_TOKEN.401', { message })
  }
  return { scopes: scopesOfToken(token), user: userOf(token) }
}
