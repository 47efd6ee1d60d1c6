import type { BearerToken } from '../kernel/context.ts'
import type { Queries } from '../kernel/database.ts'
import { ApiError } from '../kernel/errors.ts'
import type { Scope } from './scope.ts'
import { findToken } from './store.ts'
import { canUse, type Presenter, scopesIn, userOf } from './token.ts'

export interface PresentedToken extends Presenter {
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
  return { scopes: scopesIn(token), user: userOf(token) }
}

/** Throws for a bearer token that was issued without a scope. */
export function requireScope(bearer: BearerToken, scope: Scope): void {
  if (bearer.scopes.includes(scope)) return
  const message = `the bearer token in the header \`Authorization\` must have the scope \`${scope}\``
  throw new ApiError('INVALID_INPUT.UNAUTHORIZED_ROUTE_ACCESS.403', { message })
}
