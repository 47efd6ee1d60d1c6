import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type DashboardBrowser,
  openDashboard,
  openLocally,
  signIn,
} from '../support/dashboard-browser.ts'
import { link } from '../support/items-fixtures.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { startService, startWorld, type Tenant, type TestService } from '../support/service.ts'

let service: TestService
let tenant: Tenant
let other: Tenant
let browser: DashboardBrowser
let receiver: Receiver
beforeAll(async () => {
  service = await startService({ settings: { environment: 'sandbox', reportDelayMs: 60_000 } })
  receiver = await startReceiver()
})
afterAll(async () => {
  await service.close()
  await receiver.close()
})
beforeEach(async () => {
  ;[tenant, other] = [await service.tenant(), await service.tenant()]
  browser = await signIn(service, { client_id: tenant.clientId, role: 'developer' })
})

async function report(owner: Tenant) {
  const { access_token } = await link(owner, { initial_products: ['assets'] })
  const { asset_report_id } = await owner.api
    .assetReportCreate({ access_tokens: [access_token], days_requested: 30 })
    .orThrow()
  return asset_report_id
}

const secondsBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / 1000)

describe('dashboardClockGet', () => {
  test('has the time of the client beside the real one', async () => {
    await tenant.control('sandboxClockAdvance', { seconds: 86_400 })
    const { now, real_now } = await browser.ask('dashboardClockGet', {})
    expect(Math.abs(secondsBetween(real_now, now) - 86_400)).toBeLessThanOrEqual(1)
  })
})

describe('dashboardClockAdvance', () => {
  test('does what becomes due before it answers', async () => {
    const asset_report_id = await report(tenant)
    const statusOf = async () =>
      (await browser.ask('dashboardReportGet', { asset_report_id })).report.status
    expect(await statusOf()).toBe('pending')
    const { now: before } = await browser.ask('dashboardClockGet', {})
    const { now } = await browser.ask('dashboardClockAdvance', { seconds: 3600 })
    expect(secondsBetween(before, now)).toBeGreaterThanOrEqual(3599)
    expect(await statusOf()).toBe('ready')
    const { now: later } = await tenant.control('sandboxClockGet', {})
    expect(secondsBetween(now, later)).toBeLessThan(600)
  })

  test('delivers the webhooks that become due, and stands in the audit log', async () => {
    const { access_token } = await link(tenant)
    await tenant.api.itemWebhookUpdate({ access_token, webhook: receiver.url }).orThrow()
    await browser.ask('dashboardClockAdvance', { seconds: 60 })
    const { webhooks } = await browser.ask('dashboardWebhookList', {})
    expect(webhooks.map(({ status }) => status)).not.toContain('pending')
    const admin = await signIn(service, { client_id: tenant.clientId, role: 'admin' })
    const { entries } = await admin.ask('dashboardAuditList', { action: 'clock.advance' })
    expect(entries).toHaveLength(1)
  })

  test('takes a moment instead, and rejects one that has passed', async () => {
    const { now } = await browser.ask('dashboardClockGet', {})
    const to = new Date(Date.parse(now) + 7_200_000).toISOString()
    const moved = await browser.ask('dashboardClockAdvance', { to })
    expect(secondsBetween(to, moved.now)).toBeLessThan(600)
    expect(moved.now >= to).toBe(true)
    const answer = await browser.send('dashboardClockAdvance', { to: now })
    expect(answer.body).toMatchObject({
      error_code: 'INVALID_FIELD',
      error_message: '`to` must not be before now',
    })
  })

  test('moves the clock of no other client', async () => {
    const before = await other.control('sandboxClockGet', {})
    await browser.ask('dashboardClockAdvance', { seconds: 86_400 })
    const after = await other.control('sandboxClockGet', {})
    expect(secondsBetween(before.now, after.now)).toBeLessThan(3600)
  })
})

describe('dashboardUpcomingList', () => {
  test('lists jobs and webhooks by time, page by page, and none of another client', async () => {
    receiver.behave(500)
    const { access_token } = await link(tenant)
    await tenant.api.itemWebhookUpdate({ access_token, webhook: receiver.url }).orThrow()
    await tenant.control('sandboxItemFireWebhook', {
      access_token,
      webhook_code: 'SYNC_UPDATES_AVAILABLE',
    })
    const asset_report_id = await report(tenant)
    await report(other)
    const named = async () => (await browser.ask('dashboardUpcomingList', {})).upcoming
    await expect
      .poll(async () =>
        (await named()).some(({ kind, attempts }) => kind === 'webhook' && attempts > 0),
      )
      .toBe(true)
    const all = await named()
    expect(all.map(({ at }) => at)).toEqual(all.map(({ at }) => at).sort())
    expect(all.filter(({ asset_report_id: id }) => id !== null)).toMatchObject([
      { kind: 'job', name: 'assetReportMake', asset_report_id },
    ])
    const pages = []
    let cursor: string | null = null
    do {
      const page: Awaited<ReturnType<typeof browser.ask<'dashboardUpcomingList'>>> =
        await browser.ask('dashboardUpcomingList', { count: 1, cursor })
      pages.push(...page.upcoming)
      cursor = page.next_cursor
    } while (cursor !== null)
    expect(pages.map(({ id }) => id)).toEqual(all.map(({ id }) => id))
    receiver.behave(200)
  })

  test('rejects a cursor of another list', async () => {
    for (const text of ['audit:0:x', 'upcoming:0:x', 'upcoming:0:webhook-x']) {
      const cursor = Buffer.from(text).toString('base64url')
      const { body } = await browser.send('dashboardUpcomingList', { cursor })
      expect(body['error_code']).toBe('INVALID_FIELD')
    }
  })
})

describe('dashboardErrorInject', () => {
  test('lets the next call of an operation fail', async () => {
    await browser.ask('dashboardErrorInject', {
      operation: '/wallet/list',
      error_code: 'INTERNAL_SERVER_ERROR',
    })
    expect((await other.post('/wallet/list', {})).status).toBe(200)
    expect((await tenant.post('/wallet/list', {})).status).toBe(500)
    expect((await tenant.post('/wallet/list', {})).status).toBe(200)
  })

  test('concerns one Item only, where it is named', async () => {
    const [one, two] = [await link(tenant), await link(tenant)]
    const { item_id } = one
    const operation = '/accounts/get'
    const error_code = 'INTERNAL_SERVER_ERROR'
    await browser.ask('dashboardErrorInject', { operation, error_code, item_id })
    const statusOf = async ({ access_token }: { access_token: string }) =>
      (await tenant.post(operation, { access_token })).status
    expect([await statusOf(two), await statusOf(one)]).toEqual([200, 500])
  })

  test('rejects an unknown operation, a code that it does not list, and the Item of another client', async () => {
    const { item_id } = await link(other)
    const error_code = 'INTERNAL_SERVER_ERROR'
    const rejected = [
      { operation: '/nothing', error_code },
      { operation: '/wallet/list', error_code: 'ITEM_LOCKED' },
      { operation: '/accounts/get', error_code, item_id },
    ]
    const answers = await Promise.all(
      rejected.map((body) => browser.send('dashboardErrorInject', body)),
    )
    expect(answers.map(({ status, body }) => [status, body['error_code']])).toEqual([
      [400, 'INVALID_FIELD'],
      [400, 'INVALID_FIELD'],
      [404, 'OBJECT_NOT_FOUND'],
    ])
  })
})

describe('dashboardInjectedErrorList', () => {
  test('shows what waits, with its effect and its Item', async () => {
    const { item_id, access_token } = await link(tenant)
    const operation = '/accounts/get'
    await browser.ask('dashboardErrorInject', {
      operation,
      error_code: 'INTERNAL_SERVER_ERROR',
      item_id,
      times: 3,
    })
    await browser.ask('dashboardErrorInject', { operation, delay_ms: 5 })
    await browser.ask('dashboardErrorInject', { operation, drop: true })
    await browser.ask('dashboardErrorInject', { operation, unknown_enum: true })
    await tenant.post(operation, { access_token })
    const { injected_errors, has_more } = await browser.ask('dashboardInjectedErrorList', {})
    const none = { error_code: null, delay_ms: null, item_id: null, times: 1 }
    expect(injected_errors).toMatchObject([
      { path: operation, effect: 'error', error_code: 'INTERNAL_SERVER_ERROR', item_id, times: 2 },
      { ...none, effect: 'delay', delay_ms: 5 },
      { ...none, effect: 'drop' },
      { ...none, effect: 'unknown_enum' },
    ])
    expect(has_more).toBe(false)
    const stranger = await signIn(service, { client_id: other.clientId, role: 'developer' })
    const { injected_errors: theirs } = await stranger.ask('dashboardInjectedErrorList', {})
    expect(theirs).toEqual([])
  })
})

describe('dashboardErrorRemove', () => {
  test('removes one, or all of the client', async () => {
    const inject = () =>
      browser.ask('dashboardErrorInject', { operation: '/wallet/list', drop: true })
    const left = async () =>
      (await browser.ask('dashboardInjectedErrorList', {})).injected_errors.length
    const { id } = await inject()
    await inject()
    await inject()
    await browser.ask('dashboardErrorRemove', { id })
    expect(await left()).toBe(2)
    expect((await browser.send('dashboardErrorRemove', { id })).status).toBe(404)
    await browser.ask('dashboardErrorRemove', {})
    expect(await left()).toBe(0)
    expect((await tenant.post('/wallet/list', {})).status).toBe(200)
  })

  test('removes no error of another client', async () => {
    const { id } = await browser.ask('dashboardErrorInject', {
      operation: '/wallet/list',
      error_code: 'INTERNAL_SERVER_ERROR',
    })
    const stranger = await signIn(service, { client_id: other.clientId, role: 'admin' })
    expect((await stranger.send('dashboardErrorRemove', { id })).status).toBe(404)
    await stranger.ask('dashboardErrorRemove', {})
    expect((await tenant.post('/wallet/list', {})).status).toBe(500)
  })
})

describe('dashboardErrorOptionList', () => {
  test('has the operations with codes that can be injected', async () => {
    const { operations } = await browser.ask('dashboardErrorOptionList', {})
    const accounts = operations.find(({ path }) => path === '/accounts/get')
    expect(accounts?.error_codes).toContain('INVALID_ACCESS_TOKEN')
    for (const { path, error_codes } of operations) {
      const body = { operation: path, error_code: error_codes[0] ?? '' }
      await browser.ask('dashboardErrorInject', body)
    }
  })
})

describe('dashboardSeedDataGet', () => {
  test('says that a client of no file has nothing to go back to', async () => {
    await link(tenant)
    const { source, seed, start_date, contents } = await browser.ask('dashboardSeedDataGet', {})
    expect([source, seed, start_date]).toEqual(['none', null, null])
    expect(contents).toContainEqual({ kind: 'items', count: 1, is_more: false, at_start: 0 })
    expect(contents).toContainEqual({ kind: 'users', count: 0, is_more: false, at_start: 0 })
  })

  test('counts what a reset creates', async () => {
    const world = await startWorld()
    const admin = await signIn(world, { client_id: world.client.clientId, role: 'admin' })
    const read = () => admin.ask('dashboardSeedDataGet', {})
    expect(await read()).toMatchObject({ source: 'default', seed: 'tidewater' })
    await world.client.post('/wallet/create', { iso_currency_code: 'EUR' })
    await admin.ask('dashboardDataReset', {})
    const { contents } = await read()
    const own = contents.filter(({ kind }) => kind !== 'dashboard_users')
    expect(own.map(({ kind, count }) => [kind, count])).toEqual(
      own.map(({ kind, at_start }) => [kind, at_start]),
    )
    // The admin who asks has an account beside the seeded reviewers.
    const users = contents.find(({ kind }) => kind === 'dashboard_users')
    expect(users?.count).toBe((users?.at_start ?? 0) + 1)
    await world.close()
  })
})

describe('dashboardDataReset', () => {
  test('deletes the data of the client, and no access to the dashboard', async () => {
    const admin = await signIn(service, { client_id: tenant.clientId, role: 'admin' })
    const { link: invitation } = await admin.ask('dashboardTeamInvite', {
      email_address: 'invited@lender.example.com',
      role: 'reviewer',
    })
    const reviewer = await tenant.control('sandboxDashboardUserCreate', {
      email_address: 'test@lender.example.com',
    })
    await tenant.post('/wallet/create', { iso_currency_code: 'EUR' })
    await admin.ask('dashboardClockAdvance', { seconds: 86_400 })
    await admin.ask('dashboardDataReset', {})
    expect((await tenant.post('/wallet/list', {})).body['wallets']).toEqual([])
    const { now, real_now } = await browser.ask('dashboardClockGet', {})
    expect(Math.abs(secondsBetween(real_now, now))).toBeLessThanOrEqual(1)
    const { users } = await admin.ask('dashboardTeamList', {})
    expect(users.map(({ email_address }) => email_address)).toContain('invited@lender.example.com')
    expect(users.map(({ user_id }) => user_id)).not.toContain(reviewer.id)
    const { entries } = await admin.ask('dashboardAuditList', {})
    expect(entries.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['client.reset', 'clock.advance']),
    )
    const late = openDashboard(service)
    const key = new URL(invitation).hash.replace('#key=', '')
    const { session } = await late.ask('dashboardSessionBegin', { key })
    expect(session.email_address).toBe('invited@lender.example.com')
  })

  test('leaves other clients as they are', async () => {
    await other.post('/wallet/create', { iso_currency_code: 'EUR' })
    await browser.ask('dashboardDataReset', {})
    expect((await other.post('/wallet/list', {})).body['wallets']).toHaveLength(1)
  })
})

describe('sandboxReset', () => {
  test('keeps a seeded reviewer who has access as the team has made them, and restores the others', async () => {
    const world = await startWorld()
    const { client } = world
    const usersOf = async () =>
      (await client.api.dashboardUserList({}).orThrow()).dashboard_users.map(({ id, status }) => ({
        id,
        status,
      }))
    const seeded = await usersOf()
    const [first, second, ...rest] = seeded
    const admin = await signIn(world, { client_id: client.clientId, role: 'admin' })
    await admin.ask('dashboardTeamUpdate', { user_id: first?.id ?? '', disabled: true })
    const { link: url } = await admin.ask('dashboardTeamLinkCreate', { user_id: second?.id ?? '' })
    const person = openDashboard(world)
    await person.ask('dashboardSessionBegin', { key: new URL(url).hash.replace('#key=', '') })
    await client.control('sandboxReset', {})
    const after = await usersOf()
    expect(after).toEqual(
      expect.arrayContaining([
        { id: first?.id, status: 'deactivated' },
        { id: second?.id, status: 'active' },
        ...rest,
      ]),
    )
    expect(after).toHaveLength(seeded.length + 1)
    expect((await person.send('dashboardSessionGet', {})).status).toBe(200)
    expect((await admin.send('dashboardTeamList', {})).status).toBe(200)
    await world.close()
  })
})

describe('the operations of the sandbox', () => {
  const ofSandbox = [
    ['dashboardClockGet', {}],
    ['dashboardClockAdvance', { seconds: 0 }],
    ['dashboardUpcomingList', {}],
    ['dashboardInjectedErrorList', {}],
    ['dashboardErrorInject', { operation: '/wallet/list', drop: true }],
    ['dashboardErrorRemove', {}],
    ['dashboardErrorOptionList', {}],
    ['dashboardSeedDataGet', {}],
    ['dashboardDataReset', {}],
  ] as const

  test.each(ofSandbox)('%s is for developers and admins', async (id, body) => {
    const statusFor = async (role: 'reviewer' | 'developer' | 'admin') =>
      (await (await signIn(service, { client_id: tenant.clientId, role })).send(id, body)).status
    expect(await statusFor('reviewer')).toBe(403)
    expect(await statusFor('developer')).toBe(200)
    expect(await statusFor('admin')).toBe(200)
  })

  test.each(ofSandbox)('%s needs a client where an operator asks', async (id, body) => {
    const operator = await openLocally(service)
    expect((await operator.send(id, body)).body['error_code']).toBe('MISSING_FIELDS')
    const named = { ...body, client_id: tenant.clientId }
    expect((await operator.send(id, named)).status).toBe(200)
  })

  test('are absent in production', async () => {
    const production = await startService({
      settings: { environment: 'production', reportDelayMs: 0 },
      publicUrl: () => 'https://pay.example.com',
    })
    const place = { app: production.app, url: 'https://pay.example.com' }
    const { clientId } = await production.tenant()
    const admin = await signIn({ ...production, ...place }, { client_id: clientId, role: 'admin' })
    for (const [id, body] of ofSandbox) {
      expect([id, await admin.send(id, body)]).toMatchObject([
        id,
        { status: 404, body: { error_code: 'OBJECT_NOT_FOUND' } },
      ])
    }
    await production.close()
  })
})
