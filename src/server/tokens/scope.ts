import type { SandboxClientFeature } from '../../../generated/sandbox/closed.ts'
import { hasFeature } from '../clients/client.ts'
import type { ClientRow } from '../kernel/context.ts'
import { ApiError } from '../kernel/errors.ts'

/** The permissions that a token can have. */
export const scopes = [
  'user:read',
  'user:write',
  'exchange',
  'mcp:dashboard',
] as const satisfies readonly SandboxClientFeature[]

export type Scope = (typeof scopes)[number]

/** The scopes that a client is allowed to request. */
export const scopesOf = (client: ClientRow): Scope[] =>
  scopes.filter((scope) => hasFeature(client, scope))

/** The requested scopes, if all are allowed. Without a request, all allowed scopes. */
export function chooseScopes(asked: string | undefined, allowed: readonly Scope[]): Scope[] {
  if (asked === undefined) return [...allowed]
  const names = asked.split(' ')
  const denied = names.filter((name) => !allowed.some((scope) => scope === name))
  if (denied.length > 0) {
    const message = '`scope` must hold scopes only that this client and the token presented have'
    throw new ApiError('oauth.invalid_scope', { message })
  }
  return scopes.filter((scope) => names.includes(scope))
}
