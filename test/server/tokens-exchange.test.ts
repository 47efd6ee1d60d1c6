import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startService, type Tenant, type TestService } from '../support/service.ts'
import {
  allScopes,
  ask,
  exchange,
  forClient,
  forParties,
  forSelf,
  granted,
  newUser,
  partner,
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
  describe('exchanging a user token for oneself', () => {
    test('gives tokens that stand for the user', async () => {
      const tenant = await service.tenant()
      const { user_id, user_token } = await newUser(tenant)
      const tokens = await tokensFor(tenant, exchange(forSelf, tenant.clientId, user_token))
      expect(tokens.issued_token_type).toBe('urn:ietf:params:oauth:token-type:access_token')
      const { data: fresh } = await refresh(tenant, tokens.refresh_token)
      const bearers = [tokens.access_token, fresh!.access_token].map((t) =>
        granted(service, tenant, t),
      )
      for (const { user, scopes } of await Promise.all(bearers)) {
        expect(user).toEqual({ user_id, client_id: tenant.clientId })
        expect(sorted(scopes)).toEqual(allScopes)
      }
    })

    test('must name oneself', async () => {
      const [tenant, other] = [await service.tenant(), await service.tenant()]
      const { user_token } = await newUser(tenant)
      const { error } = await ask(tenant, exchange(forSelf, other.clientId, user_token))
      expect(error).toMatchObject({ error_code: 'invalid_request' })
    })

    test('takes no other token, and no user of another client', async () => {
      const [tenant, other] = [await service.tenant(), await service.tenant()]
      const foreign = await newUser(other)
      const { refresh_token } = await signIn(tenant)
      const rejected = [foreign.user_token, foreign.user_id, refresh_token].map(
        async (token) => (await ask(tenant, exchange(forSelf, tenant.clientId, token))).error,
      )
      expect(await Promise.all(rejected)).toEqual(
        Array(3).fill(expect.objectContaining({ error_code: 'invalid_grant' })),
      )
    })

    test('is not for a client that may not exchange', async () => {
      const tenant = await service.tenant(['user:read'])
      const { user_token } = await newUser(tenant)
      const { error, response } = await ask(tenant, exchange(forSelf, tenant.clientId, user_token))
      expect(response.status).toBe(400)
      expect(error).toMatchObject({ error_code: 'unauthorized_client' })
    })
  })

  describe('exchanging a refresh token for another client', () => {
    test('gives tokens that only the other client can use', async () => {
      const [tenant, other] = [await service.tenant(), await service.tenant()]
      const { refresh_token } = await signIn(tenant)
      const tokens = await tokensFor(tenant, exchange(forClient, other.clientId, refresh_token))
      expect(await use(other, tokens.access_token)).toBe(200)
      expect(await use(tenant, tokens.access_token)).toBe(401)
      expect((await refresh(other, tokens.refresh_token)).response.status).toBe(200)
      expect((await refresh(tenant, tokens.refresh_token)).error).toMatchObject({
        error_code: 'invalid_grant',
      })
    })

    test('keeps the user that the refresh token stands for', async () => {
      const [tenant, other] = [await service.tenant(), await service.tenant()]
      const { user_id, user_token } = await newUser(tenant)
      const own = await tokensFor(tenant, exchange(forSelf, tenant.clientId, user_token))
      const given = await tokensFor(tenant, exchange(forClient, other.clientId, own.refresh_token))
      expect((await granted(service, other, given.access_token)).user).toEqual({
        user_id,
        client_id: tenant.clientId,
      })
    })

    test('needs the scope exchange in the refresh token', async () => {
      const [tenant, other] = [await service.tenant(), await service.tenant()]
      const { refresh_token } = await signIn(tenant, 'user:read')
      const { error } = await ask(tenant, exchange(forClient, other.clientId, refresh_token))
      expect(error).toMatchObject({ error_code: 'invalid_scope' })
    })

    test('gives scopes only that the refresh token has and the other client may have', async () => {
      const [tenant, other] = [await service.tenant(), await service.tenant(['user:read'])]
      const { refresh_token } = await signIn(tenant, 'user:read user:write exchange')
      const body = exchange(forClient, other.clientId, refresh_token)
      const tokens = await tokensFor(tenant, body)
      expect((await granted(service, other, tokens.access_token)).scopes).toEqual(['user:read'])
      const rejected = ['user:write', 'mcp:dashboard'].map(
        async (scope) => (await ask(tenant, { ...body, scope })).error,
      )
      expect(await Promise.all(rejected)).toEqual(
        Array(2).fill(expect.objectContaining({ error_code: 'invalid_scope' })),
      )
    })

    test('gives no scope that the refresh token lacks, though the other client may have it', async () => {
      const [tenant, other] = [await service.tenant(), await service.tenant()]
      const { refresh_token } = await signIn(tenant, 'user:read exchange')
      const tokens = await tokensFor(tenant, exchange(forClient, other.clientId, refresh_token))
      expect(sorted((await granted(service, other, tokens.access_token)).scopes)).toEqual([
        'exchange',
        'user:read',
      ])
    })

    test('must name another client that exists, alone', async () => {
      const [tenant, other] = [await service.tenant(), await service.tenant()]
      const { refresh_token } = await signIn(tenant)
      const audiences = ['nobody', tenant.clientId, partner, `${other.clientId},${other.clientId}`]
      const rejected = audiences.map(
        async (audience) => (await ask(tenant, exchange(forClient, audience, refresh_token))).error,
      )
      expect(await Promise.all(rejected)).toEqual(
        Array(4).fill(expect.objectContaining({ error_code: 'invalid_request' })),
      )
    })

    test('takes no access token, user token, or token of another client', async () => {
      const [tenant, other] = [await service.tenant(), await service.tenant()]
      const { access_token } = await signIn(tenant)
      const { refresh_token } = await signIn(other)
      const { user_token } = await newUser(tenant)
      const rejected = [access_token, refresh_token, user_token].map(
        async (token) => (await ask(tenant, exchange(forClient, other.clientId, token))).error,
      )
      expect(await Promise.all(rejected)).toEqual(
        Array(3).fill(expect.objectContaining({ error_code: 'invalid_grant' })),
      )
    })
  })

  describe('exchanging a user token for several parties', () => {
    const share = async (tenant: Tenant, ...parties: string[]) => {
      const user = await newUser(tenant)
      const body = exchange(forParties, parties.join(','), user.user_token)
      return { ...user, ...(await tokensFor(tenant, body)) }
    }

    test('gives tokens that each party uses with its own credentials', async () => {
      const [tenant, other, third] = [
        await service.tenant(),
        await service.tenant(),
        await service.tenant(),
      ]
      const shared = await share(tenant, tenant.clientId, other.clientId, partner)
      expect(await use(tenant, shared.access_token)).toBe(200)
      expect(await use(other, shared.access_token)).toBe(200)
      expect(await use(third, shared.access_token)).toBe(401)
      expect((await granted(service, other, shared.access_token)).user).toEqual({
        user_id: shared.user_id,
        client_id: tenant.clientId,
      })
    })

    test('lets each party refresh, for all of them', async () => {
      const [tenant, other] = [await service.tenant(), await service.tenant()]
      const shared = await share(tenant, tenant.clientId, other.clientId)
      const { data: fresh } = await refresh(other, shared.refresh_token)
      expect(await use(tenant, fresh!.access_token)).toBe(200)
      expect(await use(other, fresh!.access_token)).toBe(200)
    })

    test('lets a client that did not name itself revoke what it shared, but not use it', async () => {
      const [tenant, other] = [await service.tenant(), await service.tenant()]
      const shared = await share(tenant, other.clientId)
      expect(await use(tenant, shared.access_token)).toBe(401)
      expect(await use(other, shared.access_token)).toBe(200)
      expect((await revoke(tenant, shared.refresh_token)).response.status).toBe(200)
      expect(await use(other, shared.access_token)).toBe(401)
    })

    test('lets each party revoke, for all of them', async () => {
      const [tenant, other] = [await service.tenant(), await service.tenant()]
      const shared = await share(tenant, tenant.clientId, other.clientId)
      expect((await revoke(other, shared.refresh_token)).response.status).toBe(200)
      expect(await use(tenant, shared.access_token)).toBe(401)
    })

    test('rejects parties that do not exist', async () => {
      const tenant = await service.tenant()
      const { user_token } = await newUser(tenant)
      const audiences = [
        'nobody',
        `${tenant.clientId},nobody`,
        `${tenant.clientId}, ${tenant.clientId}`,
        'urn:service:params:cra-partner:nobody',
      ]
      const rejected = audiences.map(
        async (audience) => (await ask(tenant, exchange(forParties, audience, user_token))).error,
      )
      expect(await Promise.all(rejected)).toEqual(
        Array(4).fill(expect.objectContaining({ error_code: 'invalid_request' })),
      )
    })

    test('lets a partner alone be a party', async () => {
      const tenant = await service.tenant()
      const shared = await share(tenant, partner)
      expect(await use(tenant, shared.access_token)).toBe(401)
    })

    test('reveals no user to a client without a user', async () => {
      const tenant = await service.tenant()
      const rejections = async (make: (audience: string) => Parameters<typeof ask>[1]) => {
        const given = [tenant.clientId, 'sandbox-client', 'nobody-here'].map(make)
        return Promise.all(given.map(async (body) => (await ask(tenant, body)).error))
      }
      for (const kind of [forParties, forClient] as const) {
        const errors = await rejections((audience) => exchange(kind, audience, 'nope'))
        for (const error of errors) expect(error).toMatchObject({ error_code: 'invalid_grant' })
        expect(new Set(errors.map((error) => error?.error_message)).size).toBe(1)
      }
    })

    test('reveals no user to a token that is not for exchange', async () => {
      const tenant = await service.tenant()
      const { refresh_token } = await signIn(tenant, 'user:read')
      const { error } = await ask(tenant, exchange(forClient, 'nobody-here', refresh_token))
      expect(error).toMatchObject({ error_code: 'invalid_scope' })
    })

    test('takes no user of another client', async () => {
      const [tenant, other] = [await service.tenant(), await service.tenant()]
      const { user_token } = await newUser(other)
      const { error } = await ask(tenant, exchange(forParties, tenant.clientId, user_token))
      expect(error).toMatchObject({ error_code: 'invalid_grant' })
    })
  })
})
