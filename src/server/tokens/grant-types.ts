import type { GrantType } from '#contract/closed.ts'
import type { Context } from '../kernel/context.ts'
import { ApiError } from '../kernel/errors.ts'
import { exchangeToken } from './exchange.ts'
import { findRefreshToken, type Grant, type TokenRequest } from './grant.ts'
import { chooseScopes, scopesOf } from './scope.ts'
import { partiesOf, scopesIn, userOf } from './token.ts'

/** The grant function of each grant type. */
export const grants: Record<GrantType, (ctx: Context, body: TokenRequest) => Promise<Grant>> = {
  client_credentials: grantToClient,
  refresh_token: refresh,
  'urn:ietf:params:oauth:grant-type:token-exchange': exchangeToken,
}

async function grantToClient({ client }: Context, { scope }: TokenRequest): Promise<Grant> {
  return {
    owner: client,
    parties: [client.client_id],
    scopes: chooseScopes(scope, scopesOf(client)),
    user: null,
    parent_id: null,
  }
}

/** The new pair has at most the scopes of the presented token, which stays valid. */
async function refresh(ctx: Context, body: TokenRequest): Promise<Grant> {
  const token = await findRefreshToken(ctx, body.refresh_token)
  if (!token) throw new ApiError('oauth.invalid_grant')
  return {
    owner: token,
    parties: partiesOf(token),
    scopes: chooseScopes(body.scope, scopesIn(token)),
    user: userOf(token),
    parent_id: token.token_id,
  }
}
