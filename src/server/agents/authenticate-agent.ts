import { findClient, type StoredClient } from '../clients/store.ts'
import type { Guess } from '../pipeline/guess-limits.ts'
import type { PipelineService } from '../pipeline/pipeline-service.ts'
import { agentPath, agentResource, agentScopes } from '../tokens/agent-resource.ts'
import { scopesOf } from '../tokens/scope.ts'
import { findToken, type TokenRow } from '../tokens/store.ts'
import { canUse, scopesOfToken } from '../tokens/token.ts'
import type { OperationRow } from '../versions/select-version.ts'
import type { AgentRequest } from './agent-request.ts'
import { AgentRejected } from './challenge.ts'

/** Who asks: a client, by a token that it has made for an agent. */
export interface Agent {
  tokenId: string
  client: StoredClient
  scopes: readonly string[]
  address: string
}

/** An agent, as the audit log names it. */
export const actorOf = ({ tokenId }: Agent): string => `agent:${tokenId}`

/** Calls a minute of a client, of all its agents together. */
export const callsPerMinute = 300

/** What limits count the calls of agents as. */
export const agentCalls: OperationRow = {
  path: agentPath,
  tag: 'agents',
  mediaTypes: ['application/json'],
  oauth: false,
  bearerReplaces: null,
  errors: {},
  enums: [],
  rateLimits: {
    sandbox: { per_client: callsPerMinute },
    production: { per_client: callsPerMinute },
  },
}

/** The agent that a request comes from. Throws if it has no token that was made for this server. */
export async function authenticateAgent(
  service: PipelineService,
  { headers, address }: AgentRequest,
): Promise<Agent> {
  const token = /^Bearer +(\S+)$/i.exec(headers['authorization'] ?? '')?.[1]
  if (token === undefined) throw new AgentRejected('none', 'send a bearer token')
  const guess = (): Guess => ({
    kind: 'bearer_token',
    claimed: undefined,
    peer: address,
    forwarded: headers['x-forwarded-for'] !== undefined,
  })
  service.guessLimits.admit(guess, agentCalls)
  const row = await findToken(service.database.single, service.keys.hash(token))
  if (!row) service.guessLimits.fail(guess(), false)
  if (!row || !isUsable(service, row)) {
    const message =
      'the token is unknown, expired or revoked, or it was not made with this resource'
    throw new AgentRejected('invalid_token', message)
  }
  const client = await findClient(service.database.single, row.client_id)
  if (client?.disabled_at !== null) {
    throw new AgentRejected('invalid_token', 'the client of the token is disabled')
  }
  // What was taken from the client is taken from its tokens.
  const allowed = scopesOf(client, service.settings)
  const scopes = scopesOfToken(row).filter((scope) => allowed.includes(scope))
  if (!scopes.includes(agentScopes.read)) {
    throw new AgentRejected(
      'insufficient_scope',
      `the token or its client lacks the scope ${agentScopes.read}`,
    )
  }
  return { tokenId: row.token_id, client, scopes, address }
}

/** A token for one user must not show the data of all. */
function isUsable(service: PipelineService, row: TokenRow): boolean {
  const client = { client_id: row.client_id, clock_offset_ms: row.clock_offset_ms }
  const now = service.clock() + row.clock_offset_ms
  return (
    row.kind === 'access' &&
    row.resource === agentResource(service.publicUrl()) &&
    row.user_id === null &&
    canUse(row, { client, now })
  )
}

/** Whether an agent may use the tools that change something. */
export const mayAct = ({ settings }: PipelineService, { scopes }: Agent): boolean =>
  settings.environment === 'sandbox' && scopes.includes(agentScopes.act)
