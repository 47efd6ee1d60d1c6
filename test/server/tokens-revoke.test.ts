import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startService, type TestService } from '../support/service.ts'
import {
  day,
  exchange,
  forClient,
  refresh,
  revoke,
  signIn,
  tokensFor,
  use,
} from '../support/token-steps.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

describe('oauthRevoke', () => {
  test('ends an access token alone', async () => {
    const tenant = await service.tenant()
    const tokens = await signIn(tenant)
    expect((await revoke(tenant, tokens.access_token)).data).toEqual({
      request_id: expect.any(String),
    })
    expect(await use(tenant, tokens.access_token)).toBe(401)
    expect((await refresh(tenant, tokens.refresh_token)).response.status).toBe(200)
  })

  test('ends a refresh token with the access token beside it', async () => {
    const tenant = await service.tenant()
    const tokens = await signIn(tenant)
    await revoke(tenant, tokens.refresh_token)
    expect(await use(tenant, tokens.access_token)).toBe(401)
    expect((await refresh(tenant, tokens.refresh_token)).error).toMatchObject({
      error_code: 'invalid_grant',
    })
  })

  test('ends everything that came from a refresh token, through every client', async () => {
    const [a, b, c] = [await service.tenant(), await service.tenant(), await service.tenant()]
    const first = await signIn(a)
    const second = (await refresh(a, first.refresh_token)).data!
    const third = await tokensFor(a, exchange(forClient, b.clientId, second.refresh_token))
    const fourth = (await refresh(b, third.refresh_token)).data!
    const fifth = await tokensFor(b, exchange(forClient, c.clientId, fourth.refresh_token))
    expect(await use(c, fifth.access_token)).toBe(200)
    await revoke(a, first.refresh_token)
    const uses = [
      use(a, second.access_token),
      use(b, third.access_token),
      use(b, fourth.access_token),
      use(c, fifth.access_token),
    ]
    expect(await Promise.all(uses)).toEqual([401, 401, 401, 401])
    expect((await refresh(c, fifth.refresh_token)).error).toMatchObject({
      error_code: 'invalid_grant',
    })
  })

  test('leaves what a token came from, and what came from others', async () => {
    const tenant = await service.tenant()
    const first = await signIn(tenant)
    const second = (await refresh(tenant, first.refresh_token)).data!
    const third = (await refresh(tenant, first.refresh_token)).data!
    await revoke(tenant, second.refresh_token)
    expect(await use(tenant, first.access_token)).toBe(200)
    expect(await use(tenant, third.access_token)).toBe(200)
    expect((await refresh(tenant, first.refresh_token)).response.status).toBe(200)
  })

  test('also ends what came from a token that has expired', async () => {
    const tenant = await service.tenant()
    const first = await signIn(tenant)
    await tenant.control('sandboxClockAdvance', { seconds: 20 * day })
    const second = (await refresh(tenant, first.refresh_token)).data!
    await tenant.control('sandboxClockAdvance', { seconds: 20 * day })
    expect((await revoke(tenant, first.refresh_token)).response.status).toBe(200)
    expect((await refresh(tenant, second.refresh_token)).error).toMatchObject({
      error_code: 'invalid_grant',
    })
  })

  test.each(['svr-AAAAAAAAAAAAAAAAAAAAAA==', 'anything', 'access-sandbox-1'])(
    'answers 200 for %s, which it does not know',
    async (token) => {
      const tenant = await service.tenant()
      expect((await revoke(tenant, token)).response.status).toBe(200)
    },
  )

  test('answers 200 again for a token that is revoked', async () => {
    const tenant = await service.tenant()
    const { refresh_token } = await signIn(tenant)
    await revoke(tenant, refresh_token)
    expect((await revoke(tenant, refresh_token)).response.status).toBe(200)
  })

  test('rejects the token of another client, which stays in force', async () => {
    const [tenant, other] = [await service.tenant(), await service.tenant()]
    const tokens = await signIn(tenant)
    const { error, response } = await revoke(other, tokens.refresh_token)
    expect(response.status).toBe(400)
    expect(error).toMatchObject({ error_code: 'unauthorized_client' })
    expect((await revoke(other, tokens.access_token)).error).toMatchObject({
      error_code: 'unauthorized_client',
    })
    expect(await use(tenant, tokens.access_token)).toBe(200)
  })

  test('lets the client that tokens were exchanged to revoke them', async () => {
    const [tenant, other] = [await service.tenant(), await service.tenant()]
    const { access_token, refresh_token } = await signIn(tenant)
    const given = await tokensFor(tenant, exchange(forClient, other.clientId, refresh_token))
    expect((await revoke(tenant, given.refresh_token)).error).toMatchObject({
      error_code: 'unauthorized_client',
    })
    expect((await revoke(other, given.refresh_token)).response.status).toBe(200)
    expect(await use(other, given.access_token)).toBe(401)
    expect(await use(tenant, access_token)).toBe(200)
  })

  test('misses the token with invalid_request', async () => {
    const tenant = await service.tenant()
    const { status, body } = await tenant.post('/oauth/revoke', {})
    expect({ status, error: body['error'] }).toEqual({ status: 400, error: 'invalid_request' })
  })

  test('leaves nothing in force of many refreshes at the same time', async () => {
    const tenant = await service.tenant()
    const { refresh_token } = await signIn(tenant)
    const several = () => [1, 2, 3, 4, 5].map(() => refresh(tenant, refresh_token))
    const first = await refresh(tenant, refresh_token)
    const [before, , after] = await Promise.all([
      Promise.all(several()),
      revoke(tenant, refresh_token),
      Promise.all(several()),
    ])
    // Each came before, and its tokens are revoked, or after, and was rejected.
    const answers = [first, ...before, ...after]
    const given = answers.flatMap(({ data }) => (data ? [data] : []))
    const rejected = answers.filter(({ error }) => error?.error_code === 'invalid_grant')
    expect(given.length + rejected.length).toBe(11)
    expect(given.length).toBeGreaterThan(0)
    const uses = await Promise.all(given.map(({ access_token }) => use(tenant, access_token)))
    expect(new Set(uses)).toEqual(new Set([401]))
  })
})
