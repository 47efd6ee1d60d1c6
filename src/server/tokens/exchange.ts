import type { SubjectTokenType } from '#contract/closed.ts'
import { hasFeature } from '../clients/client.ts'
import { findClient, type StoredClient } from '../clients/store.ts'
import type { Context } from '../kernel/context.ts'
import { ApiError } from '../kernel/errors.ts'
import { findUserByToken } from '../users/store.ts'
import { findRefreshToken, type Grant, type TokenRequest } from './grant.ts'
import { chooseScopes, scopesOf } from './scope.ts'
import { scopesOfToken, userOf } from './token.ts'

const partnerPrefix = 'urn:service:params:cra-partner:'

type Exchange = (ctx: Context, body: TokenRequest) => Promise<Grant>

/** The exchange function for each type of subject token. */
const exchanges: Record<SubjectTokenType, Exchange> = {
  'urn:service:params:tokens:user': async (ctx, body) =>
    grantForUser(ctx, body, () => [ctx.client.client_id]),
  'urn:service:params:credit:multi-user': async (ctx, body) =>
    grantForUser(ctx, body, () => readParties(ctx, body.audience)),
  'urn:service:params:oauth:user-token': grantToOtherClient,
}

/** RFC 8693, for clients that are allowed to exchange tokens. */
export async function exchangeToken(ctx: Context, body: TokenRequest): Promise<Grant> {
  if (!hasFeature(ctx.client, 'exchange')) throw new ApiError('oauth.unauthorized_client')
  // The contract requires the type for this grant.
  const exchange = exchanges[body.subject_token_type as SubjectTokenType]
  const grant = await exchange(ctx, body)
  return { ...grant, issued_token_type: 'urn:ietf:params:oauth:token-type:access_token' }
}

/** Exchanges a user token of the caller for tokens of the given parties. */
async function grantForUser(
  ctx: Context,
  { subject_token, scope }: TokenRequest,
  readParties: () => readonly string[] | Promise<readonly string[]>,
): Promise<Grant> {
  const user = subject_token === undefined ? undefined : await findUserByToken(ctx, subject_token)
  if (!user) throw invalidSubject('a user token of this client')
  // The subject is checked first: a caller without a valid one must not learn which clients exist.
  const parties = await readParties()
  return {
    owner: ctx.client,
    parties,
    scopes: chooseScopes(scope, scopesOf(ctx.client, ctx.settings)),
    user: { user_id: user.user_id, client_id: ctx.client.client_id },
    parent_id: null,
    resource: null,
  }
}

/** Exchanges a refresh token of the caller for tokens of another client. It stays their parent. */
async function grantToOtherClient(
  ctx: Context,
  { audience, subject_token, scope }: TokenRequest,
): Promise<Grant> {
  const subject = await findRefreshToken(ctx, subject_token)
  if (!subject) throw invalidSubject('a refresh token of this client')
  // An exchange would open what the token was kept from.
  if (subject.resource !== null) throw invalidSubject('a refresh token without a `resource`')
  const held = scopesOfToken(subject)
  if (!held.includes('exchange')) {
    const message = 'the token in `subject_token` must have the scope `exchange`'
    throw new ApiError('oauth.invalid_scope', { message })
  }
  const owner = await requireAudience(ctx, audience ?? '')
  if (owner.client_id === ctx.client.client_id) {
    throw invalidAudience('the id of another client for this `subject_token_type`')
  }
  const allowed = scopesOf(owner, ctx.settings).filter((name) => held.includes(name))
  return {
    owner,
    parties: [owner.client_id],
    scopes: chooseScopes(scope, allowed),
    user: userOf(subject),
    parent_id: subject.token_id,
    resource: null,
  }
}

/** The distinct clients and partners in a list. */
async function readParties(ctx: Context, audience = ''): Promise<string[]> {
  const parties = [...new Set(audience.split(','))]
  for (const party of parties) {
    if (!party.startsWith(partnerPrefix)) await requireAudience(ctx, party)
  }
  return parties
}

async function requireAudience(ctx: Context, clientId: string): Promise<StoredClient> {
  const client = await findClient(ctx.db, clientId)
  if (!client) throw invalidAudience('made of the ids of known clients')
  return client
}

const invalidAudience = (expected: string): ApiError =>
  new ApiError('oauth.invalid_request', { message: `\`audience\` must be ${expected}` })

function invalidSubject(expected: string): ApiError {
  const message = `the field \`subject_token\` must hold ${expected} that is neither expired nor revoked`
  return new ApiError('oauth.invalid_grant', { message })
}
