import { afterAll, beforeAll, expect, test } from 'vitest'
import { runOperatorCommand } from '../../src/server/operator/operator-command.ts'
import { createLink, type DashboardBrowser, openDashboard } from '../support/dashboard-browser.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'

const person = 'mo.farley@lender.example.com'
const day = 86_400_000
let now = Date.parse('2026-03-16T14:05:09Z')
let service: TestService
let tenant: Tenant
let admin: DashboardBrowser
beforeAll(async () => {
  service = await startService({
    clock: () => now,
    settings: { environment: 'production', reportDelayMs: 0 },
  })
  tenant = await service.tenant()
  admin = await signInAs('admin')
  await admin.ask('dashboardTeamInvite', { email_address: person, role: 'reviewer' })
})
afterAll(() => service.close())

async function signInAs(role: 'admin' | 'developer'): Promise<DashboardBrowser> {
  const { key } = await createLink(service, { client_id: tenant.clientId, role })
  const browser = openDashboard(service)
  await browser.ask('dashboardSessionBegin', { key })
  return browser
}

async function keepBodies(seconds: number | null) {
  async function* nothing() {}
  const asked = { actor: 'operator:test', client: 'keep-bodies', id: tenant.clientId } as const
  return runOperatorCommand(service.service, { ...asked, seconds }, nothing())
}

/** A call whose response has an e-mail address, as the dashboard shows it. */
async function callAndLook(browser = admin) {
  const { data } = await tenant.api.dashboardUserList({ cursor: null })
  expect(JSON.stringify(data)).toContain(person)
  const { requests } = await latest(data?.request_id ?? '')
  return browser.ask('dashboardRequestGet', { id: requests })
}

/** With several processes each writes its own calls a moment later. */
async function latest(id: string): Promise<{ requests: string }> {
  for (let tries = 0; tries < 100; tries += 1) {
    const answer = await admin.send('dashboardRequestGet', { id })
    if (answer.status === 200) break
    await new Promise((done) => setTimeout(done, 20))
  }
  return { requests: id }
}

test('production stores no body, unless that is switched on', async () => {
  expect(await callAndLook()).toMatchObject({
    bodies: 'not_stored',
    headers: [],
    request_body: null,
    response_body: null,
  })
})

test('what is switched on ends by itself, masks values, and is judged and sent again by nobody', async () => {
  expect(await keepBodies((3 * day) / 1000)).toMatchObject({
    clients: [{ keeps_bodies_until: '2026-03-19T14:05:09Z' }],
  })
  const { clients } = await admin.ask('dashboardClientList', {})
  expect(clients[0]?.keeps_bodies_until).toBe('2026-03-19T14:05:09Z')
  const found = await callAndLook()
  expect(found).toMatchObject({ bodies: 'masked', verdict: null, can_resend: false })
  expect(found.request_body).toBe('{"cursor":null}')
  const body = JSON.parse(found.response_body ?? '')
  expect(body.dashboard_users).toContainEqual({
    id: expect.any(String),
    created_at: expect.stringMatching(/^2026-03-16T/),
    email_address: '(masked)',
    status: '(masked)',
  })
  expect(found.response_body).not.toContain('lender.example.com')
  const { request_id } = found.request
  expect((await admin.send('dashboardRequestResend', { id: request_id })).status).toBe(404)
  now += 3 * day
  admin = await signInAs('admin')
  expect((await callAndLook()).bodies).toBe('not_stored')
  await keepBodies(day / 1000)
  await keepBodies(null)
  expect((await callAndLook()).bodies).toBe('not_stored')
  const { entries } = await admin.ask('dashboardAuditList', { action: 'client.keep-bodies' })
  expect(JSON.parse(entries[0]?.details ?? '')).toEqual({
    before: '2026-03-20T14:05:09Z',
    after: null,
  })
})

test('no developer sees them, and no file of the store has the values', async () => {
  await keepBodies(day / 1000)
  const found = await callAndLook(await signInAs('developer'))
  expect(found).toMatchObject({ bodies: 'not_shown', request_body: null, response_body: null })
  const secret = { secret: tenant.secret, wallet_id: person }
  const answer = await tenant.post('/wallet/get', secret)
  await latest(String(answer.body['request_id']))
  const shown = await admin.ask('dashboardRequestGet', { id: String(answer.body['request_id']) })
  expect(JSON.stringify(shown)).not.toContain(tenant.secret)
  expect(JSON.stringify(shown.response_body)).not.toContain(person)
})
