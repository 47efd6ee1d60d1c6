import type { Context } from '../kernel/context.ts'
import { ApiError } from '../kernel/errors.ts'
import type { TokenRequest } from './grant.ts'

/** Where agents reach the service. */
export const agentPath = '/mcp'

/** The resource of RFC 8707 that stands for it. */
export const agentResource = (publicUrl: string): string => `${publicUrl}${agentPath}`

/** What a client may do as an agent. */
export const agentScopes = { read: 'mcp:dashboard', act: 'mcp:sandbox' } as const

/**
 * The resource that new tokens are kept for. Of the servers of others nothing is known, so their
 * addresses have no effect. Beside a scope of agents such an address is a mistake.
 */
export function chooseResource(
  ctx: Context,
  { resource, scope = '' }: TokenRequest,
): string | null {
  const own = agentResource(ctx.publicUrl)
  if (resource === undefined) return null
  if (resource === own) return own
  if (!/\bmcp:/.test(scope)) return null
  const message = `the field \`resource\` must be \`${own}\` beside a scope that begins with \`mcp:\``
  throw new ApiError('oauth.invalid_request', { message })
}

/** The same for a refresh, which keeps the resource of its token. */
export function keepResource({ resource }: TokenRequest, kept: string | null): string | null {
  if (kept === null || resource === undefined || resource === kept) return kept
  const message = 'the field `resource` must be that of the token presented, or left out'
  throw new ApiError('oauth.invalid_request', { message })
}
