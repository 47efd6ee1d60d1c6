import type { GrantType } from '#contract/closed.ts'
import type { Context } from '../kernel/context.ts'
import { ApiError } from '../kernel/errors.ts'
import { agentScopes, chooseResource, keepResource } from './agent-resource.ts'
import { exchangeToken } from './exchange.ts'
import { findRefreshToken, type Grant, type TokenRequest } from './grant.ts'
import { chooseScopes, scopesOf } from './scope.ts'
import { partiesOf, scopesOfToken, userOf } from './token.ts'

/** The grant function of each grant type. */
export const grants: Record<GrantType, (ctx: Context, body: TokenRequest) => Promise<Grant>> = {
  client_credentials: grantToClient,
  refresh_token: refresh,
  'urn:ietf:params:oauth:grant-type:token-exchange': exchangeToken,
}

async function grantToClient(ctx: Context, body: TokenRequest): Promise<Grant> {
  const { client, settings } = ctx
  return {
    owner: client,
    parties: [client.client_id],
    scopes: chooseScopes(body.scope, scopesOf(client, settings)),
    user: null,
    parent_id: null,
    resource: chooseResource(ctx, body),
  }
}

/**
 * The new pair has at most the scopes of the presented token, which stays valid. Of those for agents it has
 * what the client still has.
 */
async function refresh(ctx: Context, body: TokenRequest): Promise<Grant> {
  const token = await findRefreshToken(ctx, body.refresh_token)
  if (!token) throw new ApiError('oauth.invalid_grant')
  const allowed = scopesOf(ctx.client, ctx.settings)
  const given = scopesOfToken(token)
  const held = given.filter((scope) => !ofAgents.includes(scope) || allowed.includes(scope))
  if (held.length === 0 && given.length > 0) throw new ApiError('oauth.invalid_grant')
  return {
    owner: token,
    parties: partiesOf(token),
    scopes: body.scope === undefined ? held : chooseScopes(body.scope, held),
    user: userOf(token),
    parent_id: token.token_id,
    resource: keepResource(body, token.resource),
  }
}

const ofAgents: readonly string[] = Object.values(agentScopes)
