import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { runOperatorCommand } from '../../src/server/operator/operator-command.ts'
import { createLink, type DashboardBrowser, openDashboard } from '../support/dashboard-browser.ts'
import {
  type Forgery,
  type RunningProvider,
  signInAt,
  startForger,
  startProvider,
} from '../support/identity-providers.ts'
import { startService, type TestService } from '../support/service.ts'

const returnTo = 'http://127.0.0.1:4000/dashboard/sign-in'
const ada = 'ada.prewitt@lender.example.com'
const silent = { info: () => {}, error: () => {} }

/** Begins a sign-in, and returns what the provider is asked for. */
async function beginAt(browser: DashboardBrowser): Promise<URL> {
  return new URL((await browser.ask('dashboardSessionRedirect', {})).url)
}

const finish = (browser: DashboardBrowser, query: URLSearchParams | string) =>
  browser.send('dashboardSessionBegin', { provider_answer: query.toString() })

async function disable(service: TestService, id: string): Promise<void> {
  async function* nothing() {}
  const asked = { actor: 'operator:test', dashboard: 'disable', id } as const
  await runOperatorCommand(service.service, asked, nothing())
}

describe('a sign-in at the reference implementation', () => {
  let [provider, service]: [RunningProvider, TestService] = [] as never
  let addresses: Record<string, string> = {}
  beforeAll(async () => {
    provider = await startProvider(returnTo, (login) => ({
      email: addresses[login] ?? login,
      email_verified: !login.startsWith('unverified'),
    }))
    service = await startService({ provider: provider.settings, log: silent })
  })
  afterAll(async () => {
    await service.close()
    await provider.close()
  })

  async function signIn(login: string) {
    const browser = openDashboard(service)
    const url = await beginAt(browser)
    const back = await signInAt(url.href, login)
    return { browser, back, answer: await finish(browser, back.searchParams) }
  }

  test('is offered to a user who is not signed in', async () => {
    const options = await openDashboard(service).ask('dashboardSessionOptionsGet', {})
    expect(options).toMatchObject({
      environment: 'sandbox',
      provider: new URL(provider.settings.issuer).host,
      local: true,
    })
  })

  test('asks for a code, with PKCE, state and nonce, and ties them to the browser', async () => {
    const browser = openDashboard(service)
    const { searchParams: asked } = await beginAt(browser)
    expect(Object.fromEntries(asked)).toMatchObject({
      response_type: 'code',
      client_id: 'dashboard',
      redirect_uri: returnTo,
      scope: 'openid email',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    })
    const { setCookie } = await browser.send('dashboardSessionRedirect', {})
    expect(setCookie).toMatch(
      /^dashboard-provider-4000=[\w-]{43}\.\d{13}; Path=\/dashboard; Max-Age=600; HttpOnly; SameSite=Strict$/,
    )
  })

  test('signs in the user who was invited with the address, and removes the cookie of the attempt', async () => {
    const tenant = await service.tenant()
    const { id } = await createLink(service, { client_id: tenant.clientId, role: 'reviewer' })
    const { browser, answer } = await signIn('Ada.Prewitt@lender.example.com')
    expect(answer).toMatchObject({
      status: 200,
      body: { session: { user_id: id, role: 'reviewer', client_id: tenant.clientId } },
    })
    expect(browser.cookie).toMatch(/^dashboard-4000=[\w-]{43}$/)
    const { session } = await browser.ask('dashboardSessionGet', {})
    expect(session.user_id).toBe(id)
    await disable(service, id)
  })

  test('rejects a code that was used before', async () => {
    const tenant = await service.tenant()
    const { id } = await createLink(service, { client_id: tenant.clientId })
    const browser = openDashboard(service)
    const url = await beginAt(browser)
    const { cookie } = browser
    const back = await signInAt(url.href, 'ada.prewitt@lender.example.com#replay')
    addresses = { 'ada.prewitt@lender.example.com#replay': ada }
    expect((await finish(browser, back.searchParams)).status).toBe(200)
    const thief = openDashboard(service)
    thief.cookie = cookie
    expect(await finish(thief, back.searchParams)).toMatchObject({
      status: 401,
      body: { error_code: 'SIGN_IN_ANSWER_REJECTED' },
    })
    await disable(service, id)
  })

  test('rejects a genuine answer in another browser than the one that asked', async () => {
    const back = await signInAt((await beginAt(openDashboard(service))).href, ada)
    const without = await finish(openDashboard(service), back.searchParams)
    expect(without.body['error_code']).toBe('SIGN_IN_ANSWER_REJECTED')
    const other = openDashboard(service)
    await beginAt(other)
    expect((await finish(other, back.searchParams)).status).toBe(401)
  })

  test.each([
    ['somebody whom nobody invited', 'stranger@lender.example.com'],
    ['an address that the provider has not verified', 'unverified@lender.example.com'],
  ])('rejects %s', async (_, login) => {
    const tenant = await service.tenant()
    async function* nothing() {}
    await runOperatorCommand(
      service.service,
      {
        actor: 'operator:test',
        dashboard: 'create',
        email_address: 'unverified@lender.example.com',
        role: 'admin',
        client_id: tenant.clientId,
      },
      nothing(),
    )
    const { answer, browser } = await signIn(login)
    expect(answer).toMatchObject({ status: 401, body: { error_code: 'SIGN_IN_USER_UNKNOWN' } })
    expect((await browser.send('dashboardSessionGet', {})).status).toBe(401)
  })

  test('knows a user by the account, not by the address, from the first sign-in on', async () => {
    const tenant = await service.tenant()
    addresses = { first: ada, second: ada }
    const { id } = await createLink(service, { client_id: tenant.clientId })
    expect((await signIn('first')).answer.status).toBe(200)
    // The address was given to somebody else.
    const { answer } = await signIn('second')
    expect(answer.body['error_code']).toBe('SIGN_IN_USER_UNKNOWN')
    addresses = { first: 'ada.elsewhere@example.com' }
    expect((await signIn('first')).answer.body).toMatchObject({ session: { user_id: id } })
    await disable(service, id)
    expect((await signIn('first')).answer.body['error_code']).toBe('SIGN_IN_USER_UNKNOWN')
  })

  test('signs nobody in where two users have the address', async () => {
    addresses = { twice: ada }
    const users = [
      await createLink(service, { client_id: (await service.tenant()).clientId }),
      await createLink(service),
    ]
    expect((await signIn('twice')).answer.body['error_code']).toBe('SIGN_IN_USER_UNKNOWN')
    await disable(service, users[0]?.id ?? '')
    const { body } = (await signIn('twice')).answer
    expect(body).toMatchObject({ session: { user_id: users[1]?.id, is_operator: true } })
  })

  test('rejects an answer that says that the user has refused', async () => {
    const browser = openDashboard(service)
    const state = (await beginAt(browser)).searchParams.get('state') ?? ''
    const iss = provider.settings.issuer
    const query = new URLSearchParams({ error: 'access_denied', state, iss })
    expect((await finish(browser, query)).body['error_code']).toBe('SIGN_IN_ANSWER_REJECTED')
  })
})

describe('a forged answer', () => {
  let now = Date.now()
  const told: [string, ...unknown[]][] = []
  const log = {
    info: (...words: unknown[]) => void told.push(['info', ...words]),
    error: (...words: unknown[]) => void told.push(['error', ...words]),
  }
  let [forger, service]: [Awaited<ReturnType<typeof startForger>>, TestService] = [] as never
  beforeAll(async () => {
    forger = await startForger()
    service = await startService({ provider: forger.settings, log, clock: () => now })
    await createLink(service, { client_id: (await service.tenant()).clientId })
  })
  afterAll(async () => {
    await service.close()
    await forger.close()
  })

  /** Signs in with an answer and a token, of which each may be forged. */
  async function attempt(change: Record<string, string> = {}, forgery: Forgery = {}) {
    const browser = openDashboard(service)
    const asked = (await beginAt(browser)).searchParams
    forger.forge(asked.get('nonce') ?? '', forgery)
    const genuine = { code: 'a-code', state: asked.get('state') ?? '', iss: forger.settings.issuer }
    const query = new URLSearchParams({ ...genuine, ...change })
    return { browser, query, cookie: browser.cookie, answer: await finish(browser, query) }
  }
  const rejected = { status: 401, body: { error_code: 'SIGN_IN_ANSWER_REJECTED' } }
  const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds

  test('is told from a genuine one', async () => {
    expect((await attempt()).answer.status).toBe(200)
  })

  test.each([
    ['another state', { state: 'A'.repeat(43) }],
    ['no state', { state: '' }],
    ['another issuer beside the code', { iss: 'https://elsewhere.example.com' }],
    ['no issuer beside the code', { iss: '' }],
  ])('is rejected: %s', async (_, change) => {
    expect((await attempt(change)).answer).toMatchObject(rejected)
  })

  const unsigned = (genuine: string, alg: string, signature = '') => {
    const header = Buffer.from(JSON.stringify({ alg, kid: 'one' })).toString('base64url')
    return [header, genuine.split('.')[1], signature].join('.')
  }
  test.each<[string, Forgery]>([
    ['another nonce', { claims: { nonce: 'A'.repeat(43) } }],
    ['no nonce', { claims: { nonce: undefined } }],
    ['another issuer', { claims: { iss: 'https://elsewhere.example.com' } }],
    ['another audience', { claims: { aud: 'another-client' } }],
    [
      'several audiences, for another one',
      { claims: { aud: ['dashboard', 'other'], azp: 'other' } },
    ],
    ['an expired token', { claims: { exp: inSeconds(-60) } }],
    ['a token of tomorrow', { claims: { nbf: inSeconds(86_400) } }],
    ['a token without a subject', { claims: { sub: undefined } }],
    ['a signature by another key', { key: 'other' }],
    [
      'a changed payload',
      { token: (genuine) => genuine.replace(/\.[^.]+\./, `.${payloadOf(genuine)}.`) },
    ],
    ['the algorithm `none`', { token: (genuine) => unsigned(genuine, 'none') }],
    ['the algorithm `None`', { token: (genuine) => unsigned(genuine, 'None') }],
    [
      'an HMAC in place of a signature',
      { token: (genuine) => unsigned(genuine, 'HS256', genuine.split('.')[2]) },
    ],
    ['no token at all', { token: () => '' }],
  ])('is rejected: %s', async (_, forgery) => {
    const { browser, answer } = await attempt({}, forgery)
    expect(answer).toMatchObject(rejected)
    expect((await browser.send('dashboardSessionGet', {})).status).toBe(401)
  })

  test.each([
    [{ status: 400, error: 'invalid_grant' }, 'OAUTH_RESPONSE_BODY_ERROR: invalid_grant'],
    [{ status: 400, error: 'e'.repeat(300) }, `OAUTH_RESPONSE_BODY_ERROR: ${'e'.repeat(173)}`],
  ])('is rejected, and the log says why: %j', async (failure, reason) => {
    const { answer } = await attempt({}, { failure })
    expect(answer).toMatchObject(rejected)
    expect(told.at(-1)).toEqual([
      'info',
      { reason },
      'an answer of the identity provider was rejected',
    ])
    expect(JSON.stringify(answer.body)).not.toContain('OAUTH_')
  })

  const providerFailed = { status: 503, body: { error_code: 'SIGN_IN_PROVIDER_FAILED' } }

  test.each([500, 503])('is told from a failure of the provider, status %i', async (status) => {
    const { answer } = await attempt({}, { failure: { status, error: 'temporarily_unavailable' } })
    expect(answer).toMatchObject(providerFailed)
    expect(told.at(-1)).toEqual([
      'error',
      expect.any(Error),
      'the identity provider failed: OAUTH_RESPONSE_IS_NOT_CONFORM: unexpected HTTP response status code',
    ])
  })

  test('is told from a provider that takes too long', async () => {
    const over = AbortSignal.abort(new DOMException('over', 'TimeoutError'))
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(over)
    try {
      expect((await attempt()).answer).toMatchObject(providerFailed)
    } finally {
      timeout.mockRestore()
    }
    expect(told.at(-1)?.[2]).toBe(
      'the identity provider failed: OAUTH_TIMEOUT: operation timed out',
    )
  })

  function payloadOf(genuine: string): string {
    const payload = JSON.parse(Buffer.from(genuine.split('.')[1] ?? '', 'base64url').toString())
    return Buffer.from(JSON.stringify({ ...payload, sub: 'root' })).toString('base64url')
  }

  test('is rejected: a parameter that stands twice', async () => {
    const browser = openDashboard(service)
    const asked = (await beginAt(browser)).searchParams
    forger.forge(asked.get('nonce') ?? '')
    const { issuer } = forger.settings
    const query = `code=a&code=b&state=${asked.get('state')}&iss=${encodeURIComponent(issuer)}`
    expect(await finish(browser, query)).toMatchObject(rejected)
  })

  test('is rejected: the answer a second time, though the provider redeems its code again', async () => {
    const { query, cookie, answer } = await attempt()
    expect(answer.status).toBe(200)
    const thief = openDashboard(service)
    thief.cookie = cookie
    expect(await finish(thief, query)).toMatchObject(rejected)
  })

  test('is rejected: an answer after ten minutes, also if the browser has changed the end', async () => {
    const browser = openDashboard(service)
    const asked = (await beginAt(browser)).searchParams
    forger.forge(asked.get('nonce') ?? '')
    const state = asked.get('state') ?? ''
    const query = new URLSearchParams({ code: 'a', state, iss: forger.settings.issuer })
    now += 10 * 60_000
    try {
      expect(await finish(browser, query)).toMatchObject(rejected)
      browser.cookie = browser.cookie.replace(/\.\d{13}/, `.${now + 60_000}`)
      expect(await finish(browser, query)).toMatchObject(rejected)
    } finally {
      now -= 10 * 60_000
    }
  })

  test('is rejected together with the key of a link', async () => {
    const { query } = await attempt()
    const key = 'A'.repeat(43)
    const body = { key, provider_answer: query.toString() }
    const answer = await openDashboard(service).send('dashboardSessionBegin', body)
    expect(answer).toMatchObject({ status: 400, body: { error_code: 'INVALID_FIELD' } })
  })
})

describe('without a provider that answers', () => {
  test('says so, and signs in by links as before', async () => {
    const gone = await startForger()
    await gone.close()
    const service = await startService({ provider: gone.settings, log: silent })
    try {
      const answer = await openDashboard(service).send('dashboardSessionRedirect', {})
      expect(answer).toMatchObject({ status: 503, body: { error_code: 'SIGN_IN_PROVIDER_FAILED' } })
      const { key } = await createLink(service)
      await openDashboard(service).ask('dashboardSessionBegin', { key })
    } finally {
      await service.close()
    }
  })

  test('offers none where none is configured', async () => {
    const service = await startService({ log: silent })
    try {
      const browser = openDashboard(service)
      expect((await browser.ask('dashboardSessionOptionsGet', {})).provider).toBeNull()
      expect((await browser.send('dashboardSessionRedirect', {})).status).toBe(503)
      expect((await finish(browser, 'code=a&state=b')).status).toBe(503)
    } finally {
      await service.close()
    }
  })
})
