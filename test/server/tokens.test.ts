import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allFeatures, startService, type Tenant, type TestService } from '../support/service.ts'
import {
  ask,
  day,
  exchange,
  exchangeGrant,
  forClient,
  forParties,
  granted,
  newUser,
  refresh,
  revoke,
  signIn,
  sorted,
  tokensFor,
  use,
} from '../support/token-steps.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

describe('oauthToken', () => {
  test('gives a pair for client id and secret alone', async () => {
    const tenant = await service.tenant()
    const tokens = await signIn(tenant)
    expect(tokens).toEqual({
      access_token: expect.stringMatching(/^sva-[\w-]{22}==$/),
      refresh_token: expect.stringMatching(/^svr-[\w-]{22}==$/),
      token_type: 'Bearer',
      expires_in: 900,
      request_id: expect.any(String),
    })
  })

  test('forbids caches to keep tokens', async () => {
    const tenant = await service.tenant()
    const { headers } = await tenant.post('/oauth/token', { grant_type: 'client_credentials' })
    expect(headers.get('cache-control')).toBe('no-store')
  })

  test('keeps hashes of tokens only', async () => {
    const tenant = await service.tenant()
    const tokens = await signIn(tenant)
    const rows = await service.service.database.read((db) => db.all('select * from oauth_tokens'))
    expect(JSON.stringify(rows)).not.toContain(tokens.access_token)
    expect(JSON.stringify(rows)).not.toContain(tokens.refresh_token)
  })

  test('gives every scope that the client may have when none is asked for', async () => {
    const tenant = await service.tenant(['user:read', 'mcp:dashboard', 'transactions_refresh'])
    const { access_token } = await signIn(tenant)
    expect(sorted((await granted(service, tenant, access_token)).scopes)).toEqual([
      'mcp:dashboard',
      'user:read',
    ])
  })

  test('gives the scopes that are asked for, each once', async () => {
    const tenant = await service.tenant()
    const { access_token } = await signIn(tenant, 'user:read exchange user:read')
    expect(sorted((await granted(service, tenant, access_token)).scopes)).toEqual([
      'exchange',
      'user:read',
    ])
  })

  test.each([
    ['that does not exist', 'user:delete', allFeatures],
    ['that the client may not have', 'user:write', ['user:read']],
    ['of two that the client may not have', 'user:read user:write', ['user:read']],
  ])('rejects a scope %s', async (_which, scope, features) => {
    const tenant = await service.tenant(features)
    const { error, response } = await ask(tenant, { grant_type: 'client_credentials', scope })
    expect(response.status).toBe(400)
    expect(error).toMatchObject({ error_code: 'invalid_scope' })
  })

  test.each([
    [{ grant_type: 'password' }, 'unsupported_grant_type'],
    [{}, 'invalid_request'],
    [{ grant_type: 'refresh_token' }, 'invalid_request'],
    [{ grant_type: exchangeGrant, audience: 'a', subject_token: 'b' }, 'invalid_request'],
    [{ grant_type: 'client_credentials', resource: 'lender.example.com' }, 'invalid_request'],
  ])('rejects %j with %s', async (body, code) => {
    const tenant = await service.tenant()
    const answer = await tenant.post('/oauth/token', body)
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual({
      error: code,
      error_description: expect.any(String),
      error_uri: `${service.url}/docs/errors#${code}`,
      request_id: expect.any(String),
    })
  })

  test('ignores fields that it does not know', async () => {
    const tenant = await service.tenant()
    const body = { grant_type: 'client_credentials', code: 'x', resource: 'https://a.example/' }
    expect((await tenant.post('/oauth/token', body)).status).toBe(200)
  })

  test('challenges a wrong secret', async () => {
    const { clientId } = await service.tenant()
    const stranger = service.tenantOf(clientId, 'wrong')
    const answer = await stranger.post('/oauth/token', { grant_type: 'client_credentials' })
    expect({ status: answer.status, error: answer.body['error'] }).toEqual({
      status: 401,
      error: 'invalid_client',
    })
    expect(answer.headers.get('www-authenticate')).toMatch(/^Basic /)
  })

  describe('as a form', () => {
    const post = (path: string, body: string, headers: Record<string, string> = {}) =>
      service.fetch(
        new Request(service.url + path, {
          method: 'POST',
          headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
          body,
        }),
      )
    const basic = ({ clientId, secret }: Tenant) => ({
      Authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`,
    })

    test.each(['secret', 'client_secret'])('takes the secret as %s', async (name) => {
      const { clientId, secret } = await service.tenant()
      const form = `grant_type=client_credentials&client_id=${clientId}&${name}=${secret}`
      expect((await post('/oauth/token', form)).status).toBe(200)
    })

    test('rejects two secrets that differ', async () => {
      const { clientId, secret } = await service.tenant()
      const form = `grant_type=client_credentials&client_id=${clientId}&client_secret=${secret}`
      expect((await post('/oauth/token', `${form}&secret=${secret}`)).status).toBe(200)
      expect((await post('/oauth/token', `${form}&secret=other`)).status).toBe(401)
    })

    test('takes HTTP Basic', async () => {
      const tenant = await service.tenant()
      const form = 'grant_type=client_credentials'
      expect((await post('/oauth/token', form, basic(tenant))).status).toBe(200)
    })

    test('leaves out parameters without a value', async () => {
      const tenant = await service.tenant()
      const form = 'grant_type=client_credentials&scope=&resource='
      expect((await post('/oauth/token', form, basic(tenant))).status).toBe(200)
    })

    test('rejects a parameter that comes twice', async () => {
      const tenant = await service.tenant()
      const form = 'grant_type=client_credentials&scope=user%3Aread&scope=user%3Aread'
      const response = await post('/oauth/token', form, basic(tenant))
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ error: 'invalid_request' })
    })

    test('revokes too', async () => {
      const tenant = await service.tenant()
      const { access_token } = await signIn(tenant)
      const form = `token=${encodeURIComponent(access_token)}&token_type_hint=refresh_token`
      expect((await post('/oauth/revoke', form, basic(tenant))).status).toBe(200)
      expect(await use(tenant, access_token)).toBe(401)
    })
  })

  describe('with a refresh token', () => {
    test('gives a new pair, and leaves the old refresh token in force', async () => {
      const tenant = await service.tenant()
      const first = await signIn(tenant)
      const { data: second } = await refresh(tenant, first.refresh_token)
      const { data: third } = await refresh(tenant, first.refresh_token)
      const pairs = [first, second, third].map((pair) => pair?.refresh_token)
      expect(new Set(pairs).size).toBe(3)
      expect(second).not.toHaveProperty('issued_token_type')
      expect(await use(tenant, third!.access_token)).toBe(200)
    })

    test('keeps its scopes, or gives fewer', async () => {
      const tenant = await service.tenant()
      const { refresh_token } = await signIn(tenant, 'user:read exchange')
      const same = await refresh(tenant, refresh_token)
      const fewer = await refresh(tenant, refresh_token, 'exchange')
      expect(sorted((await granted(service, tenant, same.data!.access_token)).scopes)).toEqual([
        'exchange',
        'user:read',
      ])
      expect((await granted(service, tenant, fewer.data!.access_token)).scopes).toEqual([
        'exchange',
      ])
    })

    test('gives no scope that it lacks, though the client may have it', async () => {
      const tenant = await service.tenant()
      const { refresh_token } = await signIn(tenant, 'user:read')
      const { error } = await refresh(tenant, refresh_token, 'user:read user:write')
      expect(error).toMatchObject({ error_code: 'invalid_scope' })
      const narrowed = await refresh(tenant, refresh_token, 'user:read')
      const widened = await refresh(tenant, narrowed.data!.refresh_token, 'exchange')
      expect(widened.error).toMatchObject({ error_code: 'invalid_scope' })
    })

    test('is rejected when the token is unknown, revoked, another kind or of another client', async () => {
      const [tenant, other] = [await service.tenant(), await service.tenant()]
      const [tokens, foreign, revoked] = [
        await signIn(tenant),
        await signIn(other),
        await signIn(tenant),
      ]
      await revoke(tenant, revoked.refresh_token)
      const rejected = [
        'svr-AAAAAAAAAAAAAAAAAAAAAA==',
        tokens.access_token,
        foreign.refresh_token,
        revoked.refresh_token,
      ].map(async (token) => (await refresh(tenant, token)).error)
      expect(await Promise.all(rejected)).toEqual(
        Array(4).fill(expect.objectContaining({ error_code: 'invalid_grant' })),
      )
    })
  })
})

describe('the life of a token', () => {
  test('ends after 900 seconds for access, after 30 days for refresh', async () => {
    const tenant = await service.tenant()
    const tokens = await signIn(tenant)
    await tenant.control('sandboxClockAdvance', { seconds: 880 })
    expect(await use(tenant, tokens.access_token)).toBe(200)
    await tenant.control('sandboxClockAdvance', { seconds: 20 })
    expect(await use(tenant, tokens.access_token)).toBe(401)
    await tenant.control('sandboxClockAdvance', { seconds: 29 * day })
    expect((await refresh(tenant, tokens.refresh_token)).response.status).toBe(200)
    await tenant.control('sandboxClockAdvance', { seconds: day })
    expect((await refresh(tenant, tokens.refresh_token)).error).toMatchObject({
      error_code: 'invalid_grant',
    })
  })

  test('starts again for the tokens of a refresh', async () => {
    const tenant = await service.tenant()
    const first = await signIn(tenant)
    await tenant.control('sandboxClockAdvance', { seconds: 29 * day })
    const { data: second } = await refresh(tenant, first.refresh_token)
    await tenant.control('sandboxClockAdvance', { seconds: 29 * day })
    expect((await refresh(tenant, second!.refresh_token)).response.status).toBe(200)
  })

  test('goes by the clock of the client that it was made for', async () => {
    const [tenant, other] = [await service.tenant(), await service.tenant()]
    await tenant.control('sandboxClockAdvance', { seconds: 5 * day })
    const { refresh_token } = await signIn(tenant)
    const given = await tokensFor(tenant, exchange(forClient, other.clientId, refresh_token))
    await tenant.control('sandboxClockAdvance', { seconds: day })
    expect(await use(other, given.access_token)).toBe(200)
    await other.control('sandboxClockAdvance', { seconds: 900 })
    expect(await use(other, given.access_token)).toBe(401)
  })

  test('goes by the clock of the client that shared it, for every party', async () => {
    const [tenant, other] = [await service.tenant(), await service.tenant()]
    const { user_token } = await newUser(tenant)
    const parties = `${tenant.clientId},${other.clientId}`
    const shared = await tokensFor(tenant, exchange(forParties, parties, user_token))
    await other.control('sandboxClockAdvance', { seconds: day })
    expect(await use(other, shared.access_token)).toBe(200)
    await tenant.control('sandboxClockAdvance', { seconds: 900 })
    expect(await use(other, shared.access_token)).toBe(401)
  })
})

describe('a bearer token', () => {
  test.each(['Bearer sva-AAAAAAAAAAAAAAAAAAAAAA==', 'Bearer', 'bearer two words'])(
    '%s is challenged, whatever the operation',
    async (Authorization) => {
      const tenant = await service.tenant()
      const answer = await tenant.post('/dashboard_user/list', {}, { Authorization })
      expect(answer.status).toBe(401)
      expect(answer.body).toMatchObject({
        error_type: 'INVALID_INPUT',
        error_code: 'INVALID_ACCESS_TOKEN',
      })
      expect(answer.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
    },
  )

  test('comes beside client id and secret, never instead of them', async () => {
    const tenant = await service.tenant()
    const { access_token } = await signIn(tenant)
    const response = await service.fetch(
      new Request(`${service.url}/dashboard_user/list`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${access_token}` },
        body: '{}',
      }),
    )
    expect(await response.json()).toMatchObject({ error_code: 'MISSING_FIELDS' })
  })

  test('is an access token, neither a refresh nor a user token, and its own client’s', async () => {
    const [tenant, other] = [await service.tenant(), await service.tenant()]
    const { access_token, refresh_token } = await signIn(tenant)
    const { user_token } = await newUser(tenant)
    expect(await use(tenant, access_token)).toBe(200)
    expect(await use(other, access_token)).toBe(401)
    expect(await use(tenant, refresh_token)).toBe(401)
    expect(await use(tenant, user_token)).toBe(401)
  })

  test('stands for no user when it came from credentials alone', async () => {
    const tenant = await service.tenant()
    const { access_token } = await signIn(tenant)
    expect((await granted(service, tenant, access_token)).user).toBeNull()
  })
})

describe('the metadata of RFC 8414', () => {
  test('says where tokens are had, and how', async () => {
    const response = await service.fetch(
      new Request(`${service.url}/.well-known/oauth-authorization-server`),
    )
    expect(await response.json()).toEqual({
      issuer: service.url,
      token_endpoint: `${service.url}/oauth/token`,
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      revocation_endpoint: `${service.url}/oauth/revoke`,
      revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      grant_types_supported: ['client_credentials', 'refresh_token', exchangeGrant],
      response_types_supported: [],
      authorization_endpoint: `${service.url}/oauth/authorize`,
      scopes_supported: ['user:read', 'user:write', 'exchange', 'mcp:dashboard', 'mcp:sandbox'],
      service_documentation: `${service.url}/docs/`,
    })
  })

  test('names an authorization endpoint, which authorizes nothing', async () => {
    const asked = '?response_type=code&client_id=x&redirect_uri=https://lender.example.com/'
    const response = await service.fetch(new Request(`${service.url}/oauth/authorize${asked}`))
    expect([response.status, response.headers.get('location')]).toEqual([400, null])
    expect(await response.json()).toMatchObject({ error: 'unsupported_response_type' })
  })
})
