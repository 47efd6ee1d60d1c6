import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { runOperatorCommand } from '../../src/server/operator/operator-command.ts'
import { createLink, openDashboard, openLocally, signIn } from '../support/dashboard-browser.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'

let now = Date.parse('2026-03-16T14:05:09Z')
let service: TestService
let production: TestService
let tenant: Tenant
beforeAll(async () => {
  service = await startService({ clock: () => now })
  production = await startService({
    clock: () => now,
    settings: { environment: 'production', reportDelayMs: 0 },
    publicUrl: () => 'https://pay.example.com',
  })
})
afterAll(async () => {
  await service.close()
  await production.close()
})
beforeEach(async () => {
  tenant = await service.tenant()
})

async function* nothing() {}
const disable = (id: string) =>
  runOperatorCommand(
    service.service,
    { actor: 'operator:test', dashboard: 'disable', id },
    nothing(),
  )

const code = ({ body }: { body: Record<string, unknown> }) => body['error_code']

describe('dashboardSessionBegin', () => {
  test('signs a user in by a link, once', async () => {
    const { key, id } = await createLink(service, { client_id: tenant.clientId, role: 'developer' })
    const first = openDashboard(service)
    const { session } = await first.ask('dashboardSessionBegin', { key })
    expect(session).toMatchObject({
      environment: 'sandbox',
      user_id: id,
      role: 'developer',
      is_operator: false,
      client_id: tenant.clientId,
      sees_personal_data: true,
      ends_at: '2026-03-17T02:05:09Z',
    })
    const second = openDashboard(service)
    expect(await second.send('dashboardSessionBegin', { key })).toMatchObject({
      status: 401,
      body: { error_code: 'SIGN_IN_KEY_INVALID' },
    })
    expect(second.cookie).toBe('')
  })

  test('makes an invited user an active one, whom `/dashboard_user/list` has', async () => {
    const { key, id } = await createLink(service, { client_id: tenant.clientId })
    const listed = async () => (await tenant.api.dashboardUserList({}).orThrow()).dashboard_users
    expect(await listed()).toMatchObject([{ id, status: 'invited' }])
    await openDashboard(service).ask('dashboardSessionBegin', { key })
    expect(await listed()).toMatchObject([{ id, status: 'active' }])
  })

  test('rejects a link that is older than a day', async () => {
    const { key } = await createLink(service, { client_id: tenant.clientId })
    now += 24 * 3_600_000
    const answer = await openDashboard(service).send('dashboardSessionBegin', { key })
    expect(code(answer)).toBe('SIGN_IN_KEY_INVALID')
  })

  test('rejects the link of a user who was disabled', async () => {
    const { key, id } = await createLink(service, { client_id: tenant.clientId })
    await disable(id)
    const answer = await openDashboard(service).send('dashboardSessionBegin', { key })
    expect(code(answer)).toBe('SIGN_IN_KEY_INVALID')
  })

  test('sets a cookie that scripts and other sites do not get', async () => {
    const browser = openDashboard(service)
    const { setCookie } = await browser.send('dashboardSessionBegin', {})
    expect(setCookie).toMatch(
      /^dashboard-4000=[\w-]{43}; Path=\/dashboard; Max-Age=43200; HttpOnly; SameSite=Strict$/,
    )
  })

  test('sets a cookie with the prefix `__Host-` where the service is reached by https', async () => {
    const { key } = await createLink(production)
    const browser = openDashboard({ app: production.app, url: 'https://pay.example.com' })
    const { setCookie } = await browser.send('dashboardSessionBegin', { key })
    expect(setCookie).toMatch(
      /^__Host-dashboard=[\w-]{43}; Path=\/; Secure; Max-Age=43200; HttpOnly; SameSite=Strict$/,
    )
  })

  test('ends the session that the browser had before', async () => {
    const browser = await signIn(service, { client_id: tenant.clientId })
    const before = browser.cookie
    await browser.ask('dashboardSessionBegin', {})
    const stale = openDashboard(service)
    stale.cookie = before
    expect((await stale.send('dashboardSessionGet', {})).status).toBe(401)
  })

  describe('without a key', () => {
    test('signs in an operator on their own machine', async () => {
      const browser = await openLocally(service)
      const { session } = await browser.ask('dashboardSessionGet', {})
      expect(session).toMatchObject({ user_id: 'local', is_operator: true, role: 'admin' })
    })

    test.each([
      ['another machine', { remoteAddress: '192.0.2.7' }, {}],
      ['another name', {}, { host: 'sandbox.internal:4000' }],
      ['another address', {}, { host: '192.0.2.7:4000' }],
      ['a proxy that says so', {}, { 'x-forwarded-for': '127.0.0.1' }],
      ['a proxy by RFC 7239', {}, { forwarded: 'for=127.0.0.1' }],
      ['a gateway', {}, { via: '1.1 gateway' }],
    ])('signs nobody in from %s', async (_, from, headers: Record<string, string>) => {
      const browser = openDashboard(service, from)
      const answer = await browser.send('dashboardSessionBegin', {}, headers)
      expect(answer).toMatchObject({ status: 401, body: { error_code: 'SIGN_IN_REQUIRED' } })
      expect(browser.cookie).toBe('')
    })

    test.each(['localhost:4000', '127.0.0.1:4000', '[::1]:4000', 'localhost'])(
      'takes the host %s for this machine',
      async (host) => {
        const answer = await openDashboard(service).send('dashboardSessionBegin', {}, { host })
        expect(answer.status).toBe(200)
      },
    )

    test('signs nobody in in production', async () => {
      const browser = openDashboard({ app: production.app, url: 'http://127.0.0.1:4000' })
      expect(code(await browser.send('dashboardSessionBegin', {}))).toBe('SIGN_IN_REQUIRED')
    })
  })
})

describe('dashboardSessionOptionsGet', () => {
  test('says without a session how to sign in, and offers no machine elsewhere', async () => {
    const here = await openDashboard(service).ask('dashboardSessionOptionsGet', {})
    expect(here).toMatchObject({ environment: 'sandbox', provider: null, local: true })
    const elsewhere = openDashboard(service, { remoteAddress: '192.0.2.7' })
    expect((await elsewhere.ask('dashboardSessionOptionsGet', {})).local).toBe(false)
    const real = openDashboard({ app: production.app, url: 'http://127.0.0.1:4000' })
    expect(await real.ask('dashboardSessionOptionsGet', {})).toMatchObject({
      environment: 'production',
      local: false,
    })
  })
})

// What it does with a provider is in dashboard-provider.test.ts.
describe('dashboardSessionRedirect', () => {
  test('fails and sets no cookie where no provider is configured', async () => {
    const browser = openDashboard(service)
    const answer = await browser.send('dashboardSessionRedirect', {})
    expect(answer).toMatchObject({ status: 503, body: { error_code: 'SIGN_IN_PROVIDER_FAILED' } })
    expect(browser.cookie).toBe('')
  })
})

describe('dashboardSessionGet', () => {
  test('rejects a browser without a session', async () => {
    const answer = await openDashboard(service).send('dashboardSessionGet', {})
    expect(answer).toMatchObject({ status: 401, body: { error_code: 'SIGN_IN_REQUIRED' } })
  })

  test('rejects a session after twelve hours', async () => {
    const browser = await signIn(service, { client_id: tenant.clientId })
    now += 12 * 3_600_000
    expect((await browser.send('dashboardSessionGet', {})).status).toBe(401)
  })

  test('rejects the session of a user who was disabled, at once', async () => {
    const browser = await signIn(service, { client_id: tenant.clientId })
    await disable(browser.id)
    expect((await browser.send('dashboardSessionGet', {})).status).toBe(401)
  })

  test('rejects two cookies of one name, of which another page has set one', async () => {
    const browser = await signIn(service, { client_id: tenant.clientId })
    const cookie = `${browser.cookie}; dashboard-4000=${'A'.repeat(43)}`
    expect((await browser.send('dashboardSessionGet', {}, { cookie })).status).toBe(401)
  })

  test('takes no client credentials in place of a session', async () => {
    const headers = { 'SERVICE-CLIENT-ID': tenant.clientId, 'SERVICE-SECRET': tenant.secret }
    const answer = await openDashboard(service).send('dashboardSessionGet', {}, headers)
    expect(answer.status).toBe(401)
  })
})

describe('dashboardSessionEnd', () => {
  test('ends the session, also for somebody who copied its cookie', async () => {
    const browser = await signIn(service, { client_id: tenant.clientId })
    const stolen = openDashboard(service)
    stolen.cookie = browser.cookie
    const { setCookie } = await browser.send('dashboardSessionEnd', {})
    expect(setCookie).toContain('Max-Age=0')
    expect((await stolen.send('dashboardSessionGet', {})).status).toBe(401)
  })

  test('succeeds where nobody is signed in', async () => {
    expect((await openDashboard(service).send('dashboardSessionEnd', {})).status).toBe(200)
  })
})

describe('a request that no page of the dashboard has sent', () => {
  test.each([
    ['a foreign site', { 'sec-fetch-site': 'cross-site' }],
    ['another port of localhost', { 'sec-fetch-site': 'same-site' }],
    ['an address that was typed', { 'sec-fetch-site': 'none' }],
    [
      'another port, of a browser that names only the origin',
      { 'sec-fetch-site': null, origin: 'http://127.0.0.1:4001' },
    ],
    ['another scheme', { 'sec-fetch-site': null, origin: 'https://127.0.0.1:4000' }],
    ['a program that names nothing', { 'sec-fetch-site': null }],
    ['a page without an origin', { 'sec-fetch-site': null, origin: 'null' }],
  ])('is rejected: %s', async (_, headers: Record<string, string | null>) => {
    const browser = await signIn(service, { client_id: tenant.clientId })
    for (const id of ['dashboardSessionGet', 'dashboardWebhookList'] as const) {
      const answer = await browser.send(id, {}, headers)
      expect([400, 403]).toContain(answer.status)
      expect(['FOREIGN_PAGE', 'INVALID_HEADERS']).toContain(code(answer))
    }
  })

  test('is accepted from the exact origin, where the browser names only that', async () => {
    const browser = await signIn(service, { client_id: tenant.clientId })
    const headers = { 'sec-fetch-site': null, origin: 'http://127.0.0.1:4000' }
    expect((await browser.send('dashboardSessionGet', {}, headers)).status).toBe(200)
  })
})
