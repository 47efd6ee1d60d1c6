import * as oauth from 'oauth4webapi'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startService, type Tenant, type TestService } from '../support/service.ts'

// An OAuth client that knows the RFCs and nothing of this service goes through every flow.

interface Parts {
  [oauth.allowInsecureRequests]: boolean
  [oauth.customFetch](url: string, init: object): Promise<Response>
}

let service: TestService
let options: Parts
let server: oauth.AuthorizationServer

beforeAll(async () => {
  service = await startService()
  options = {
    [oauth.allowInsecureRequests]: true,
    [oauth.customFetch]: (url, init) => service.fetch(new Request(url, init)),
  }
  const issuer = new URL(service.url)
  const response = await oauth.discoveryRequest(issuer, { ...options, algorithm: 'oauth2' })
  server = await oauth.processDiscoveryResponse(issuer, response)
})
afterAll(() => service.close())

const exchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange'

const clientOf = ({ clientId }: Tenant): oauth.Client => ({ client_id: clientId })
const authOf = ({ secret }: Tenant) => oauth.ClientSecretBasic(secret)

async function signIn(tenant: Tenant, auth = authOf(tenant), scope = 'user:read exchange') {
  const client = clientOf(tenant)
  const response = await oauth.clientCredentialsGrantRequest(
    server,
    client,
    auth,
    { scope },
    options,
  )
  return oauth.processClientCredentialsResponse(server, client, response)
}

async function refresh(tenant: Tenant, token: string) {
  const client = clientOf(tenant)
  const response = await oauth.refreshTokenGrantRequest(
    server,
    client,
    authOf(tenant),
    token,
    options,
  )
  return oauth.processRefreshTokenResponse(server, client, response)
}

async function exchange(tenant: Tenant, parameters: Record<string, string>) {
  const client = clientOf(tenant)
  const response = await oauth.genericTokenEndpointRequest(
    server,
    client,
    authOf(tenant),
    exchangeGrant,
    parameters,
    options,
  )
  return oauth.processGenericTokenEndpointResponse(server, client, response)
}

async function revoke(tenant: Tenant, token: string) {
  const client = clientOf(tenant)
  const response = await oauth.revocationRequest(server, client, authOf(tenant), token, options)
  return oauth.processRevocationResponse(response)
}

/** The status of a call that carries the token. */
async function use(tenant: Tenant, token: string): Promise<number> {
  const headers = new Headers({
    'Content-Type': 'application/json',
    'SERVICE-CLIENT-ID': tenant.clientId,
    'SERVICE-SECRET': tenant.secret,
  })
  const url = new URL(`${service.url}/dashboard_user/list`)
  const response = await oauth.protectedResourceRequest(token, 'POST', url, headers, '{}', options)
  return response.status
}

describe('an independent client', () => {
  test.each([
    ['client_secret_basic', oauth.ClientSecretBasic],
    ['client_secret_post', oauth.ClientSecretPost],
  ])('signs in with %s and uses its token', async (_name, method) => {
    const tenant = await service.tenant()
    const tokens = await signIn(tenant, method(tenant.secret))
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 900 })
    expect(await use(tenant, tokens.access_token)).toBe(200)
  })

  test('refreshes', async () => {
    const tenant = await service.tenant()
    const first = await signIn(tenant)
    const second = await refresh(tenant, first.refresh_token!)
    expect(await use(tenant, second.access_token)).toBe(200)
  })

  test('exchanges a refresh token for another client', async () => {
    const [tenant, other] = [await service.tenant(), await service.tenant()]
    const { refresh_token } = await signIn(tenant)
    const tokens = await exchange(tenant, {
      audience: other.clientId,
      subject_token: refresh_token!,
      subject_token_type: 'urn:service:params:oauth:user-token',
    })
    expect(tokens['issued_token_type']).toBe('urn:ietf:params:oauth:token-type:access_token')
    expect(await use(other, tokens.access_token)).toBe(200)
  })

  test.each(['urn:service:params:tokens:user', 'urn:service:params:credit:multi-user'])(
    'exchanges a user token as %s',
    async (subject_token_type) => {
      const tenant = await service.tenant()
      const { data } = await tenant.api.userCreate({ client_user_id: 'borrower-7f3a' })
      const tokens = await exchange(tenant, {
        audience: tenant.clientId,
        subject_token: data!.user_token,
        subject_token_type,
      })
      expect(await use(tenant, tokens.access_token)).toBe(200)
    },
  )

  test('revokes, and is challenged when it uses the token again', async () => {
    const tenant = await service.tenant()
    const tokens = await signIn(tenant)
    await revoke(tenant, tokens.refresh_token!)
    await expect(use(tenant, tokens.access_token)).rejects.toMatchObject({
      code: 'OAUTH_WWW_AUTHENTICATE_CHALLENGE',
      status: 401,
      cause: [{ scheme: 'bearer', parameters: { error: 'invalid_token' } }],
    })
    await expect(refresh(tenant, tokens.refresh_token!)).rejects.toMatchObject({
      code: 'OAUTH_RESPONSE_BODY_ERROR',
      error: 'invalid_grant',
      status: 400,
    })
  })

  test('revokes no token of others, and gets an error', async () => {
    const [tenant, other] = [await service.tenant(), await service.tenant()]
    const { refresh_token } = await signIn(tenant)
    await expect(revoke(other, refresh_token!)).rejects.toMatchObject({
      error: 'unauthorized_client',
    })
  })

  test('learns why a scope is rejected', async () => {
    const tenant = await service.tenant()
    await expect(signIn(tenant, authOf(tenant), 'everything')).rejects.toMatchObject({
      error: 'invalid_scope',
      error_description: expect.any(String),
    })
  })

  test('is challenged for a wrong secret', async () => {
    const tenant = await service.tenant()
    const wrong = oauth.ClientSecretBasic('wrong')
    await expect(signIn(tenant, wrong)).rejects.toMatchObject({
      code: 'OAUTH_WWW_AUTHENTICATE_CHALLENGE',
      status: 401,
      cause: [{ scheme: 'basic', parameters: { realm: 'oauth' } }],
    })
  })
})
