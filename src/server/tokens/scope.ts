import type { SandboxClientFeature } from '../../../generated/sandbox/closed.ts'
import { hasFeature } from '../clients/client.ts'
import type { ClientRow, Settings } from '../kernel/context.ts'
import { ApiError } from '../kernel/errors.ts'
import { agentScopes } from './agent-resource.ts'

/** The permissions that a client can have, and its tokens. */
const ofClients = [
  'user:read',
  'user:write',
  'exchange',
  'mcp:dashboard',
] as const satisfies readonly SandboxClientFeature[]

/** The permissions that a token can have. */
const scopes = [...ofClients, agentScopes.act] as const

export type Scope = (typeof scopes)[number]

/** The scopes of an environment: only in the sandbox agents may change something. */
export const scopesIn = ({ environment }: Pick<Settings, 'environment'>): readonly Scope[] =>
  environment === 'sandbox' ? scopes : ofClients

/** The scopes that a client is allowed to request. One that may look may also act in the sandbox. */
export function scopesOf(client: ClientRow, settings: Pick<Settings, 'environment'>): Scope[] {
  const allowed = ofClients.filter((scope) => hasFeature(client, scope))
  const mayAct = settings.environment === 'sandbox' && allowed.includes(agentScopes.read)
  return mayAct ? [...allowed, agentScopes.act] : allowed
}

/**
 * The requested scopes, if all are allowed. Without a request, all allowed scopes, but for the one that
 * a client has to name.
 */
export function chooseScopes(asked: string | undefined, allowed: readonly Scope[]): Scope[] {
  if (asked === undefined) return allowed.filter((scope) => scope !== agentScopes.act)
  const names = asked.split(' ')
  const denied = names.filter((name) => !allowed.some((scope) => scope === name))
  if (denied.length > 0) {
    const message = '`scope` must hold scopes only that this client and the token presented have'
    throw new ApiError('oauth.invalid_scope', { message })
  }
  return scopes.filter((scope) => names.includes(scope))
}
