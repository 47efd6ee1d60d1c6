import type { OauthTokenRequest, SubjectTokenType } from '../../src/index.ts'
import { authenticateBearerToken } from '../../src/server/tokens/bearer.ts'
import type { Tenant, TestService } from './service.ts'

export const exchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange'
export const forSelf = 'urn:service:params:tokens:user'
export const forClient = 'urn:service:params:oauth:user-token'
export const forParties = 'urn:service:params:credit:multi-user'
export const partner = 'urn:service:params:cra-partner:experian'
export const day = 86_400

export const ask = (tenant: Tenant, body: OauthTokenRequest) => tenant.api.oauthToken(body)

export async function tokensFor(tenant: Tenant, body: OauthTokenRequest) {
  const { data, error } = await ask(tenant, body)
  if (!data) throw new Error(JSON.stringify(error))
  return data
}

export const signIn = (tenant: Tenant, scope?: string) =>
  tokensFor(tenant, { grant_type: 'client_credentials', ...(scope ? { scope } : {}) })

export const refresh = (tenant: Tenant, refresh_token: string, scope?: string) =>
  ask(tenant, { grant_type: 'refresh_token', refresh_token, ...(scope ? { scope } : {}) })

export const exchange = (
  subject_token_type: SubjectTokenType,
  audience: string,
  subject_token: string,
) => ({ grant_type: exchangeGrant, audience, subject_token, subject_token_type }) as const

export const revoke = (tenant: Tenant, token: string) => tenant.api.oauthRevoke({ token })

/** The status of a call that carries the token, and needs nothing else. */
export const use = async (tenant: Tenant, token: string) =>
  (await tenant.post('/dashboard_user/list', {}, { Authorization: `Bearer ${token}` })).status

export async function newUser(tenant: Tenant) {
  const { data, error } = await tenant.api.userCreate({ client_user_id: 'borrower-7f3a' })
  if (!data) throw new Error(JSON.stringify(error))
  return data
}

/** What the token grants to a client that presents it now. */
export async function granted({ service }: TestService, tenant: Tenant, token: string) {
  const { database, keys, clock } = service
  const client = { client_id: tenant.clientId, clock_offset_ms: 0 }
  return database.read((db) =>
    authenticateBearerToken(db, { client, now: clock(), tokenHash: keys.hash(token) }),
  )
}

export const sorted = (scopes: readonly string[]) => [...scopes].sort()
export const allScopes = ['exchange', 'mcp:dashboard', 'user:read', 'user:write']
