import { agentPath, agentResource, agentScopes } from '../tokens/agent-resource.ts'
import type { AgentAnswer } from './agent-request.ts'

/** Where the metadata of RFC 9728 is. */
export const resourceMetadataPath = `/.well-known/oauth-protected-resource${agentPath}`

/** The metadata of the server of agents, according to RFC 9728. */
export const toResourceMetadata = (
  publicUrl: string,
  docsUrl: string | undefined,
  environment: string,
): object => ({
  resource: agentResource(publicUrl),
  resource_name: 'Financial Data Service, tools for agents',
  authorization_servers: [publicUrl],
  scopes_supported:
    environment === 'sandbox' ? [agentScopes.read, agentScopes.act] : [agentScopes.read],
  bearer_methods_supported: ['header'],
  ...(docsUrl === undefined ? {} : { resource_documentation: `${docsUrl}/guides/ask-it/` }),
})

/** Why a token does not let an agent in. */
export class AgentRejected extends Error {
  readonly code: 'none' | 'invalid_token' | 'insufficient_scope'
  readonly scopes: readonly string[]

  constructor(
    code: AgentRejected['code'],
    message: string,
    scopes: readonly string[] = [agentScopes.read],
  ) {
    super(message)
    this.code = code
    this.scopes = scopes
  }
}

/** The answer with the challenge of RFC 6750, which says where tokens are had. */
export function toChallenge(
  { code, message, scopes }: AgentRejected,
  publicUrl: string,
): AgentAnswer {
  const parts = [
    // A request without a token has made no mistake that the challenge could name.
    ...(code === 'none' ? [] : [`error="${code}"`, `error_description="${message}"`]),
    `scope="${scopes.join(' ')}"`,
    `resource_metadata="${publicUrl}${resourceMetadataPath}"`,
  ]
  return {
    status: code === 'insufficient_scope' ? 403 : 401,
    headers: { 'WWW-Authenticate': `Bearer ${parts.join(', ')}`, ...json },
    body: JSON.stringify({
      error: code === 'none' ? 'invalid_token' : code,
      error_description: message,
    }),
  }
}

export const json = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }
