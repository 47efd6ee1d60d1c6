import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type DashboardBrowser, signIn } from '../support/dashboard-browser.ts'
import { type LinkedItem, link } from '../support/items-fixtures.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'

let service: TestService
let tenant: Tenant
let other: Tenant
let item: LinkedItem
let browser: DashboardBrowser
let stranger: DashboardBrowser
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())
beforeEach(async () => {
  ;[tenant, other] = [await service.tenant(), await service.tenant()]
  browser = await signIn(service, { client_id: tenant.clientId, role: 'developer' })
  stranger = await signIn(service, { client_id: other.clientId, role: 'developer' })
  item = await link(tenant)
  await tenant.api.accountsGet({ access_token: item.access_token }).orThrow()
  await tenant.post('/wallet/get', { wallet_id: 5, secret: tenant.secret })
})

/** The latest calls; with several processes each has written its own by then. */
async function list(body: Parameters<typeof browser.ask<'dashboardRequestList'>>[1] = {}) {
  for (let process = 0; process < service.processes; process += 1) {
    await tenant.control('sandboxRequestList', { count: 1 })
  }
  return browser.ask('dashboardRequestList', body)
}

const findCall = async (operation_id: string) => {
  const { requests } = await list({ operation_id })
  const [call] = requests
  if (!call) throw new Error(`no call of ${operation_id} is stored`)
  return call
}

describe('dashboardRequestList', () => {
  test('has the calls of the client, the newest first, and none of another', async () => {
    const { requests } = await list()
    const ids = requests.map(({ operation_id }) => operation_id)
    expect(ids.indexOf('walletGet')).toBeLessThan(ids.indexOf('accountsGet'))
    expect((await stranger.ask('dashboardRequestList', {})).requests).toEqual([])
  })

  test('finds calls by operation, outcome, status, code, Item and time', async () => {
    const found = async (body: Parameters<typeof list>[0]) =>
      (await list(body)).requests.map(({ operation_id }) => operation_id)
    expect(await found({ operation_id: 'accountsGet' })).toEqual(['accountsGet'])
    expect(await found({ outcome: 'failed' })).toEqual(['walletGet'])
    expect(await found({ status: 400 })).toEqual(['walletGet'])
    expect(await found({ error_code: 'INVALID_FIELD' })).toEqual(['walletGet'])
    expect(await found({ item_id: item.item_id })).toContain('accountsGet')
    expect(await found({ item_id: item.item_id, outcome: 'failed' })).toEqual([])
    expect(await found({ item_id: '%' })).toEqual([])
    expect(await found({ item_id: item.item_id.replace(/.$/, '_') })).toEqual([])
    expect(await found({ to: '2020-01-01T00:00:00Z' })).toEqual([])
    expect(await found({ operation_id: 'walletGet', from: '2020-01-01T00:00:00Z' })).toHaveLength(1)
  })

  test('finds calls by a path, a part of a name, a class of statuses and an id', async () => {
    const found = async (body: Parameters<typeof list>[0]) =>
      (await list(body)).requests.map(({ operation_id }) => operation_id)
    for (const operation_id of ['/accounts/get', 'ACCOUNTSGET', 'accounts/g', 'accountsG']) {
      expect(new Set(await found({ operation_id }))).toEqual(new Set(['accountsGet']))
    }
    expect(await found({ operation_id: 'wallet' })).toEqual(['walletGet'])
    expect(await found({ status_class: '4xx' })).toEqual(['walletGet'])
    expect(await found({ status_class: '5xx' })).toEqual([])
    expect(await found({ status_class: '2xx' })).not.toContain('walletGet')
    expect(await found({ error_code: 'invalid_field' })).toEqual(['walletGet'])
    const { request_id } = await findCall('accountsGet')
    const { requests } = await list({ request_id })
    expect(requests.map((one) => one.request_id)).toEqual([request_id])
    expect(await found({ request_id, status_class: '4xx' })).toEqual([])
    expect((await stranger.ask('dashboardRequestList', { request_id })).requests).toEqual([])
  })

  test.each([
    ['a name that no operation has', { operation_id: 'accounts_et' }, /^`operation_id` must be/],
    ['a part of too many names', { operation_id: 'e' }, /^`operation_id` fits \d+ operations/],
    ['an unknown code', { error_code: 'NOT_A_CODE' }, /^`error_code` must be/],
    ['an id that is none', { request_id: '%' }, /^`request_id` must be letters and digits/],
    ['an unknown class', { status_class: '9xx' }, /^`status_class` must be/],
  ])('says what is wrong with %s', async (_, body, message) => {
    expect(await browser.send('dashboardRequestList', body)).toMatchObject({
      status: 400,
      body: { error_code: 'INVALID_FIELD', error_message: expect.stringMatching(message) },
    })
  })

  test('goes on where the page before has ended', async () => {
    const all = (await list()).requests.map(({ request_id }) => request_id)
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const page: Awaited<ReturnType<typeof read>> = await read(cursor)
      seen.push(...page.requests.map(({ request_id }) => request_id))
      cursor = page.next_cursor
    } while (cursor !== null)
    expect(seen.slice(-all.length)).toEqual(all)
    expect(new Set(seen).size).toBe(seen.length)

    function read(after: string | null) {
      return browser.ask('dashboardRequestList', { count: 2, cursor: after })
    }
  })
})

describe('dashboardRequestGet', () => {
  test('has both bodies without credentials, and what the contract says of them', async () => {
    const { request_id: id } = await findCall('accountsGet')
    const shown = await browser.ask('dashboardRequestGet', { id })
    expect(shown.request).toMatchObject({ operation_id: 'accountsGet', item_id: item.item_id })
    expect(JSON.parse(shown.request_body ?? '')).toEqual({ access_token: item.access_token })
    expect(JSON.parse(shown.response_body ?? '')).toMatchObject({ request_id: id })
    expect(shown).toMatchObject({ bodies: 'stored', can_resend: true })
    expect(shown.verdict).toEqual({ request: [], response: [] })
  })

  test('names the faulty fields, and keeps no secret', async () => {
    const { request_id: id } = await findCall('walletGet')
    const shown = await browser.ask('dashboardRequestGet', { id })
    expect(shown.verdict?.request).toMatchObject([{ field: 'wallet_id' }])
    expect(shown.request_body).not.toContain(tenant.secret)
    expect(JSON.parse(shown.response_body ?? '')).toMatchObject({ error_code: 'INVALID_FIELD' })
  })

  test('keeps no secret of an answer', async () => {
    const made = await tenant.control('sandboxClientCreate', { client_name: 'Larkspur Branch' })
    const { request_id: id } = await findCall('sandboxClientCreate')
    const shown = await browser.ask('dashboardRequestGet', { id })
    expect(JSON.parse(shown.response_body ?? '')).toMatchObject({
      client_id: made.client_id,
      secret: '(masked)',
    })
    expect(shown.verdict?.response).toEqual([])
  })

  test('keeps no credentials of a form, however its names and its media type are written', async () => {
    await service.fetch(
      new Request(`${service.url}/oauth/token`, {
        method: 'POST',
        headers: { 'content-type': 'APPLICATION/X-WWW-FORM-URLENCODED' },
        body: `grant_type=client_credentials&client%5Fid=${tenant.clientId}&%73ecre%74=${tenant.secret}`,
      }),
    )
    const { request_id: id } = await findCall('oauthToken')
    const shown = await browser.ask('dashboardRequestGet', { id })
    expect(JSON.parse(shown.request_body ?? '')).toEqual({ grant_type: 'client_credentials' })
  })

  test.each([
    ['succeeds', 200, {}],
    ['fails', 400, { wallet_id: 5 }],
  ])(
    'has no response body where the call %s and its connection drops',
    async (_, status, wrong) => {
      const wallet = await tenant.api.walletCreate({ iso_currency_code: 'GBP' }).orThrow()
      await tenant.control('sandboxErrorInject', { operation: '/wallet/get', drop: true })
      const body = { wallet_id: wallet.wallet_id, ...wrong }
      await expect(tenant.post('/wallet/get', body)).rejects.toThrow()
      const { request_id: id } = await findCall('walletGet')
      const shown = await browser.ask('dashboardRequestGet', { id })
      expect(shown.request).toMatchObject({ status })
      expect(JSON.parse(shown.request_body ?? '')).toEqual(body)
      expect(shown.response_body).toBeNull()
    },
  )

  test('has no call of another client', async () => {
    const { request_id: id } = await findCall('accountsGet')
    expect((await stranger.send('dashboardRequestGet', { id })).status).toBe(404)
    expect((await browser.send('dashboardRequestGet', { id: '%' })).status).toBe(404)
  })

  test('is stored encrypted', async () => {
    await findCall('accountsGet')
    const rows = await service.service.database.single.all<object>(
      `select ids, terms, entries, bodies from request_log where client_id = $1`,
      [tenant.clientId],
    )
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toContain(item.access_token)
  })
})

describe('an injected error', () => {
  test.each([
    ['error', { error_code: 'INTERNAL_SERVER_ERROR' }, 500],
    ['delay', { delay_ms: 1 }, 200],
    ['unknown_enum', { unknown_enum: true }, 200],
  ] as const)('stands at its call: %s', async (effect, injection, status) => {
    await tenant.control('sandboxErrorInject', { operation: '/wallet/list', ...injection })
    await tenant.post('/wallet/list', {})
    expect(await findCall('walletList')).toMatchObject({ status, injected: effect })
    await tenant.post('/wallet/list', {})
    expect(await findCall('walletList')).toMatchObject({ injected: null })
  })

  test('stands at a call whose connection was closed', async () => {
    await tenant.control('sandboxErrorInject', { operation: '/wallet/list', drop: true })
    await expect(tenant.post('/wallet/list', {})).rejects.toThrow()
    expect(await findCall('walletList')).toMatchObject({ injected: 'drop' })
  })

  test('that would change values stands at no call that failed by itself', async () => {
    await tenant.control('sandboxErrorInject', { operation: '/wallet/get', unknown_enum: true })
    await tenant.post('/wallet/get', { wallet_id: 5 })
    expect(await findCall('walletGet')).toMatchObject({ status: 400, injected: null })
  })
})

describe('dashboardRequestOptionList', () => {
  test('names every operation that the list has, and every code', async () => {
    const { operations, error_codes } = await browser.ask('dashboardRequestOptionList', {})
    const { requests } = await list()
    for (const { operation_id, path } of requests) {
      expect(operations).toContainEqual({ operation_id, path })
    }
    expect(error_codes).toContain('INVALID_FIELD')
    expect(new Set(error_codes).size).toBe(error_codes.length)
  })
})

describe('dashboardRequestResend', () => {
  test('runs the call again as its client, and lists it', async () => {
    const { request_id: id } = await findCall('accountsGet')
    const again = await browser.ask('dashboardRequestResend', { id })
    expect(again).toMatchObject({ status: 200, error_code: null })
    const { requests } = await list({ operation_id: 'accountsGet' })
    expect(requests[0]).toMatchObject({ request_id: again.id, resent_from: id })
  })

  test('runs no call of another client', async () => {
    const { request_id: id } = await findCall('accountsGet')
    expect((await stranger.send('dashboardRequestResend', { id })).status).toBe(404)
  })

  test('fails as the call does', async () => {
    const { request_id: id } = await findCall('walletGet')
    const again = await browser.ask('dashboardRequestResend', { id })
    expect(again).toMatchObject({ status: 400, error_code: 'INVALID_FIELD' })
    await list()
    const { response_body } = await browser.ask('dashboardRequestGet', { id: again.id })
    expect(JSON.parse(response_body ?? '')).toMatchObject({
      error_code: 'INVALID_FIELD',
      request_id: again.id,
    })
  })
})

describe('dashboardOverviewGet', () => {
  test('counts calls, Items and webhooks of the client', async () => {
    await list()
    const shown = await browser.ask('dashboardOverviewGet', { hours: 2 })
    expect(shown.calls).toContainEqual(
      expect.objectContaining({ operation_id: 'walletGet', status: 400, calls: 1 }),
    )
    expect(shown.items).toEqual([{ error_code: null, items: 1 }])
    expect(shown.removed_items).toBe(0)
    await tenant.api.itemRemove({ access_token: item.access_token }).orThrow()
    const after = await browser.ask('dashboardOverviewGet', {})
    expect([after.items, after.removed_items]).toEqual([[], 1])
    const theirs = await stranger.ask('dashboardOverviewGet', {})
    expect([theirs.calls, theirs.items, theirs.webhooks]).toEqual([[], [], []])
  })
})
