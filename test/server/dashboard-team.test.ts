import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openDashboard, openLocally, signIn } from '../support/dashboard-browser.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'

let now = Date.parse('2026-03-16T14:05:09Z')
let service: TestService
let tenant: Tenant
let admin: Awaited<ReturnType<typeof signIn>>
beforeAll(async () => {
  service = await startService({ clock: () => now })
})
afterAll(() => service.close())
beforeEach(async () => {
  tenant = await service.tenant()
  admin = await signIn(service, { client_id: tenant.clientId, role: 'admin' })
})

const code = ({ body }: { body: Record<string, unknown> }) => body['error_code']
const person = { email_address: 'mo.farley@lender.example.com', role: 'developer' } as const
const keyOf = (link: string) => ({ key: new URL(link).hash.replace('#key=', '') })

async function invite(email_address: string = person.email_address) {
  const { user, link } = await admin.ask('dashboardTeamInvite', { ...person, email_address })
  return { user_id: user.user_id, link }
}
async function join(link: string) {
  const browser = openDashboard(service)
  await browser.ask('dashboardSessionBegin', keyOf(link))
  return browser
}
const entries = async () => (await admin.ask('dashboardAuditList', {})).entries

describe('dashboardTeamList', () => {
  test('shows the users of the client with their roles, sessions and links', async () => {
    const { user_id } = await invite()
    const { users } = await admin.ask('dashboardTeamList', {})
    expect(users).toMatchObject([
      { user_id: admin.id, role: 'admin', status: 'active', sessions: 1, is_self: true },
      {
        user_id,
        ...person,
        status: 'invited',
        sessions: 0,
        link_expires_at: '2026-03-17T14:05:09Z',
        is_self: false,
      },
    ])
    expect(users[0]?.link_expires_at).toBeNull()
  })

  test('gives each user once, page by page, and none of another client', async () => {
    const other = await signIn(service, { client_id: (await service.tenant()).clientId })
    for (const name of ['a', 'b', 'c']) await invite(`${name}@lender.example.com`)
    const first = await admin.ask('dashboardTeamList', { count: 3 })
    const rest = await admin.ask('dashboardTeamList', { count: 3, cursor: first.next_cursor })
    const ids = [...first.users, ...rest.users].map(({ user_id }) => user_id)
    expect([ids.length, new Set(ids).size, rest.next_cursor]).toEqual([4, 4, null])
    expect(ids).not.toContain(other.id)
  })
})

describe.each([
  ['dashboardTeamList', {}],
  ['dashboardTeamInvite', person],
  ['dashboardTeamLinkCreate', { user_id: 'none' }],
  ['dashboardTeamUpdate', { user_id: 'none', role: 'admin' }],
  ['dashboardTeamSessionList', {}],
  ['dashboardTeamSessionEnd', { user_id: 'none' }],
] as const)('%s of another role', (id, body) => {
  test.each(['reviewer', 'developer'] as const)('is rejected: %s', async (role) => {
    const browser = await signIn(service, { client_id: tenant.clientId, role })
    expect(code(await browser.send(id, body))).toBe('ROLE_REQUIRED')
  })
})

describe('dashboardTeamInvite', () => {
  test('makes a link that works once, and writes who invited whom', async () => {
    const { user_id, link } = await invite()
    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:4000\/dashboard\/sign-in#key=[\w-]{43}$/)
    const { session } = await (await join(link)).ask('dashboardSessionGet', {})
    expect(session).toMatchObject({ user_id, role: 'developer', client_id: tenant.clientId })
    const again = await openDashboard(service).send('dashboardSessionBegin', keyOf(link))
    expect(code(again)).toBe('SIGN_IN_KEY_INVALID')
    expect(await entries()).toContainEqual(
      expect.objectContaining({
        action: 'dashboard-user.create',
        actor: `dashboard:${admin.id}`,
        subject: user_id,
        details: JSON.stringify({ role: 'developer', address: '127.0.0.1' }),
      }),
    )
    expect(JSON.stringify(await entries())).not.toContain(keyOf(link).key)
  })

  test('rejects the address of a user who may sign in, in any case', async () => {
    await invite()
    const again = { ...person, email_address: person.email_address.toUpperCase() }
    const answer = await admin.send('dashboardTeamInvite', again)
    expect(answer).toMatchObject({ status: 400, body: { error_code: 'INVALID_FIELD' } })
  })

  test.each(['nobody', 'a@', '@b', 'a b@c.example', 'a@b\nBcc: c@d', ''])(
    'rejects the address %j',
    async (email_address) => {
      const answer = await admin.send('dashboardTeamInvite', { ...person, email_address })
      expect(code(answer)).toBe('INVALID_FIELD')
    },
  )

  test('lets an operator invite for the client that they name', async () => {
    const operator = await openLocally(service)
    const asked = { ...person, client_id: tenant.clientId }
    const { user } = await operator.ask('dashboardTeamInvite', asked)
    const { users } = await admin.ask('dashboardTeamList', {})
    expect(users.map(({ user_id }) => user_id)).toContain(user.user_id)
  })
})

describe('dashboardTeamLinkCreate', () => {
  test('replaces the link before', async () => {
    const { user_id, link } = await invite()
    const made = await admin.ask('dashboardTeamLinkCreate', { user_id })
    const stale = await openDashboard(service).send('dashboardSessionBegin', keyOf(link))
    expect(code(stale)).toBe('SIGN_IN_KEY_INVALID')
    await join(made.link)
  })

  test('makes none for a disabled user, nor for one of another client', async () => {
    const { user_id } = await invite()
    await admin.ask('dashboardTeamUpdate', { user_id, disabled: true })
    expect(code(await admin.send('dashboardTeamLinkCreate', { user_id }))).toBe('INVALID_FIELD')
    const other = await signIn(service, { client_id: (await service.tenant()).clientId })
    const foreign = { user_id: other.id }
    expect(code(await admin.send('dashboardTeamLinkCreate', foreign))).toBe('OBJECT_NOT_FOUND')
  })
})

describe('dashboardTeamUpdate', () => {
  test('changes a role at once, also in sessions that last, and says what it was', async () => {
    const { user_id, link } = await invite()
    const browser = await join(link)
    expect((await browser.send('dashboardWebhookList', {})).status).toBe(200)
    await admin.ask('dashboardTeamUpdate', { user_id, role: 'reviewer' })
    expect(code(await browser.send('dashboardWebhookList', {}))).toBe('ROLE_REQUIRED')
    const entry = (await entries()).find(({ action }) => action === 'dashboard-user.update')
    expect(JSON.parse(entry?.details ?? '')).toEqual({
      before: { role: 'developer', status: 'active' },
      after: { role: 'reviewer', status: 'active' },
      address: '127.0.0.1',
    })
  })

  test('disables a user: sessions and links end at once, until the user is enabled', async () => {
    const { user_id, link } = await invite()
    const browser = await join(link)
    const unused = await admin.ask('dashboardTeamLinkCreate', { user_id })
    const { user } = await admin.ask('dashboardTeamUpdate', { user_id, disabled: true })
    expect(user).toMatchObject({ status: 'deactivated', sessions: 0, link_expires_at: null })
    expect((await browser.send('dashboardSessionGet', {})).status).toBe(401)
    const stale = await openDashboard(service).send('dashboardSessionBegin', keyOf(unused.link))
    expect(code(stale)).toBe('SIGN_IN_KEY_INVALID')
    await admin.ask('dashboardTeamUpdate', { user_id, disabled: false })
    expect((await browser.send('dashboardSessionGet', {})).status).toBe(401)
    await join((await admin.ask('dashboardTeamLinkCreate', { user_id })).link)
  })

  test.each([{ role: 'reviewer' }, { disabled: true }] as const)(
    'keeps the last admin: %j',
    async (change) => {
      // Somebody who was only invited may never come.
      await admin.ask('dashboardTeamInvite', { ...person, role: 'admin' })
      const answer = await admin.send('dashboardTeamUpdate', { user_id: admin.id, ...change })
      expect(answer).toMatchObject({ status: 400, body: { error_code: 'LAST_ADMIN' } })
      const { users } = await admin.ask('dashboardTeamList', {})
      expect(users[0]).toMatchObject({ role: 'admin', status: 'active' })
    },
  )

  test('keeps one of two admins who disable each other at the same moment', async () => {
    const second = await signIn(service, { client_id: tenant.clientId, role: 'admin' })
    const answers = await Promise.all([
      admin.send('dashboardTeamUpdate', { user_id: second.id, disabled: true }),
      second.send('dashboardTeamUpdate', { user_id: admin.id, disabled: true }),
    ])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('knows no user of another client, and no operator', async () => {
    const other = await signIn(service, { client_id: (await service.tenant()).clientId })
    for (const user_id of [other.id, 'local']) {
      const answer = await admin.send('dashboardTeamUpdate', { user_id, disabled: true })
      expect(code(answer)).toBe('OBJECT_NOT_FOUND')
    }
  })
})

describe('dashboardTeamSessionList', () => {
  test('shows whose sessions last, from where, and which is this one', async () => {
    const { user_id, link } = await invite()
    await join(link)
    const { sessions } = await admin.ask('dashboardTeamSessionList', {})
    expect(sessions.map((one) => [one.user_id, one.address, one.is_current]).sort()).toEqual(
      [
        [admin.id, '127.0.0.1', true],
        [user_id, '127.0.0.1', false],
      ].sort(),
    )
    const page = await admin.ask('dashboardTeamSessionList', { count: 1 })
    const rest = await admin.ask('dashboardTeamSessionList', { count: 1, cursor: page.next_cursor })
    expect(
      new Set([...page.sessions, ...rest.sessions].map(({ session_id }) => session_id)),
    ).toEqual(new Set(sessions.map(({ session_id }) => session_id)))
    now += 12 * 3_600_000
    const late = await signIn(service, { client_id: tenant.clientId })
    expect((await late.ask('dashboardTeamSessionList', {})).sessions).toHaveLength(1)
  })

  test('gives no value that signs anybody in', async () => {
    const { sessions } = await admin.ask('dashboardTeamSessionList', {})
    const thief = openDashboard(service)
    thief.cookie = `dashboard-4000=${sessions[0]?.session_id}`
    expect((await thief.send('dashboardSessionGet', {})).status).toBe(401)
  })
})

describe('dashboardTeamSessionEnd', () => {
  test('ends one session, or all of a user', async () => {
    const { user_id, link } = await invite()
    const first = await join(link)
    const second = await join((await admin.ask('dashboardTeamLinkCreate', { user_id })).link)
    const { sessions } = await admin.ask('dashboardTeamSessionList', {})
    const one = sessions.find((session) => session.user_id === user_id)?.session_id ?? ''
    expect((await admin.ask('dashboardTeamSessionEnd', { session_id: one })).ended).toBe(1)
    const left = await Promise.all([first, second].map((it) => it.send('dashboardSessionGet', {})))
    expect(left.map(({ status }) => status).sort()).toEqual([200, 401])
    expect((await admin.ask('dashboardTeamSessionEnd', { user_id })).ended).toBe(1)
    expect((await admin.ask('dashboardTeamSessionEnd', { user_id })).ended).toBe(0)
    expect((await first.send('dashboardSessionGet', {})).status).toBe(401)
    expect((await second.send('dashboardSessionGet', {})).status).toBe(401)
    const ended = (await entries()).filter(({ action }) => action === 'dashboard-session.end')
    expect(ended.map(({ subject }) => subject)).toEqual([user_id, user_id])
  })

  test('ends no session of another client', async () => {
    const other = await signIn(service, { client_id: (await service.tenant()).clientId })
    const { sessions } = await other.ask('dashboardTeamSessionList', {})
    const session_id = sessions[0]?.session_id ?? ''
    expect((await admin.ask('dashboardTeamSessionEnd', { session_id })).ended).toBe(0)
    expect((await admin.ask('dashboardTeamSessionEnd', { user_id: other.id })).ended).toBe(0)
    await other.ask('dashboardSessionGet', {})
  })

  test.each([{}, { user_id: 'a', session_id: 'b' }])('rejects %j', async (body) => {
    expect(code(await admin.send('dashboardTeamSessionEnd', body))).toBe('INVALID_FIELD')
  })
})
