import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type DashboardBrowser, openLocally, signIn } from '../support/dashboard-browser.ts'
import { link } from '../support/items-fixtures.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'

let service: TestService
let tenant: Tenant
let other: Tenant
let receiver: Receiver
let browser: DashboardBrowser
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())
beforeEach(async () => {
  ;[tenant, other] = [await service.tenant(), await service.tenant()]
  receiver = await startReceiver()
  browser = await signIn(service, { client_id: tenant.clientId, role: 'admin' })
})
afterAll(() => receiver.close())

describe('dashboardClientList', () => {
  test('has the client of its user, and no other', async () => {
    const { clients } = await browser.ask('dashboardClientList', {})
    expect(clients).toMatchObject([{ client_id: tenant.clientId, disabled_at: null }])
  })

  test('has all clients for an operator, page by page', async () => {
    const operator = await openLocally(service)
    const found: string[] = []
    let cursor: string | null = null
    do {
      const page: Awaited<ReturnType<typeof read>> = await read(cursor)
      found.push(...page.clients.map(({ client_id }) => client_id))
      cursor = page.next_cursor
    } while (cursor !== null)
    expect(new Set(found).size).toBe(found.length)
    expect(found).toEqual(expect.arrayContaining([tenant.clientId, other.clientId]))

    function read(after: string | null) {
      return operator.ask('dashboardClientList', { count: 1, cursor: after })
    }
  })
})

describe('the client of a request', () => {
  test('must be named by an operator', async () => {
    const operator = await openLocally(service)
    const { status, body } = await operator.send('dashboardItemList', {})
    expect([status, body['error_code']]).toEqual([400, 'MISSING_FIELDS'])
    const client_id = 'nobody'
    expect((await operator.send('dashboardItemList', { client_id })).status).toBe(400)
    const named = { client_id: other.clientId }
    expect((await operator.send('dashboardItemList', named)).status).toBe(200)
  })

  test('must be their own for everybody else', async () => {
    const named = { client_id: other.clientId }
    expect(await browser.send('dashboardItemList', named)).toMatchObject({
      status: 403,
      body: { error_code: 'ROLE_REQUIRED' },
    })
  })
})

describe('a role', () => {
  test.each([
    ['reviewer', ['dashboardItemList', 'dashboardWebhookList', 'dashboardAuditList']],
    ['developer', ['dashboardAuditList']],
  ] as const)('%s is kept from what it may not see', async (role, ids) => {
    const user = await signIn(service, { client_id: tenant.clientId, role })
    for (const id of ids) {
      expect(await user.send(id, {})).toMatchObject({
        status: 403,
        body: { error_code: 'ROLE_REQUIRED' },
      })
    }
  })
})

describe('dashboardItemList', () => {
  test('has the Items of the client, the newest first, by health', async () => {
    const [first, second] = [await link(tenant), await link(tenant)]
    await link(other)
    await tenant.control('sandboxItemSetHealth', {
      access_token: first.access_token,
      error_code: 'ITEM_LOGIN_REQUIRED',
    })
    const { items } = await browser.ask('dashboardItemList', {})
    const ids = [first, second].map(({ item_id }) => item_id)
    expect(items.map(({ item_id }) => item_id).sort()).toEqual([...ids].sort())
    const ofHealth = async (health: 'healthy' | 'unhealthy' | 'removed') =>
      (await browser.ask('dashboardItemList', { health })).items.map(({ item_id }) => item_id)
    expect(await ofHealth('unhealthy')).toEqual([first.item_id])
    expect(await ofHealth('healthy')).toEqual([second.item_id])
    expect(await ofHealth('removed')).toEqual([])
  })

  test('goes on where the page before has ended', async () => {
    for (let count = 0; count < 3; count += 1) await link(tenant)
    const one = await browser.ask('dashboardItemList', { count: 2 })
    const two = await browser.ask('dashboardItemList', { count: 2, cursor: one.next_cursor })
    const ids = [...one.items, ...two.items].map(({ item_id }) => item_id)
    expect(new Set(ids).size).toBe(3)
    expect(two.next_cursor).toBeNull()
  })

  test('has the Items of an institution, by its id or a part of its name, in any case', async () => {
    const { item_id } = await link(tenant)
    const { items } = await browser.ask('dashboardItemList', {})
    const { institution_id, institution_name } = items[0] ?? {}
    const found = async (institution: string) =>
      (await browser.ask('dashboardItemList', { institution })).items.map((one) => one.item_id)
    for (const text of [institution_id, institution_name, institution_name?.slice(2, 6)]) {
      expect(await found(text ?? '')).toEqual([item_id])
      expect(await found((text ?? '').toUpperCase())).toEqual([item_id])
    }
    for (const text of ['no such bank', '%', '_', 'ins_']) expect(await found(text)).toEqual([])
  })

  test('rejects a cursor of another list', async () => {
    const cursor = Buffer.from('audit:0:x').toString('base64url')
    expect(await browser.send('dashboardItemList', { cursor })).toMatchObject({
      status: 400,
      body: { error_code: 'INVALID_FIELD' },
    })
  })
})

describe('dashboardItemFind', () => {
  test('finds an Item by its ids and tokens', async () => {
    const initial_products: ['transactions'] = ['transactions']
    const { item_id, access_token } = await link(tenant, { initial_products })
    const { accounts } = await tenant.api.accountsGet({ access_token }).orThrow()
    const { added } = await tenant.api.transactionsSync({ access_token }).orThrow()
    const texts = [item_id, access_token, accounts[0]?.account_id, added[0]?.transaction_id]
    for (const text of texts) {
      const found = await browser.ask('dashboardItemFind', { text: ` ${text} ` })
      expect(found.item_id).toBe(item_id)
    }
  })

  test('finds no Item of another client', async () => {
    const { item_id, access_token } = await link(other)
    for (const text of [item_id, access_token]) {
      expect((await browser.send('dashboardItemFind', { text })).status).toBe(404)
    }
  })
})

describe('dashboardItemGet', () => {
  test('has accounts, health and what to do', async () => {
    const { item_id, access_token } = await link(tenant)
    const { accounts } = await tenant.api.accountsGet({ access_token }).orThrow()
    const error_code = 'ITEM_LOGIN_REQUIRED'
    await tenant.control('sandboxItemSetHealth', { access_token, error_code })
    const shown = await browser.ask('dashboardItemGet', { item_id })
    expect(shown.item).toMatchObject({ item_id, error_code })
    expect(shown.advice?.action).toMatch(/update/)
    expect(shown.accounts.map(({ account_id, current }) => [account_id, current])).toEqual(
      accounts.map(({ account_id, balances }) => [account_id, balances.current]),
    )
  })

  test('has nothing of another client', async () => {
    const { item_id } = await link(other)
    expect(await browser.send('dashboardItemGet', { item_id })).toMatchObject({
      status: 404,
      body: { error_code: 'OBJECT_NOT_FOUND' },
    })
  })
})

describe('webhooks', () => {
  async function fire(owner: Tenant): Promise<void> {
    const { access_token } = await link(owner, {
      initial_products: ['transactions'],
      options: { webhook: receiver.url },
    })
    const webhook_code = 'DEFAULT_UPDATE'
    await owner.control('sandboxItemFireWebhook', { access_token, webhook_code })
    await service.service.runner.finish()
  }

  describe('dashboardWebhookList', () => {
    test('has the deliveries of the client by status, without those of another', async () => {
      await fire(other)
      await fire(tenant)
      const { webhooks } = await browser.ask('dashboardWebhookList', { status: 'delivered' })
      expect(webhooks.length).toBeGreaterThan(0)
      expect(webhooks[0]).toMatchObject({ url: receiver.url, attempts: 1, status_code: 200 })
      const failed = await browser.ask('dashboardWebhookList', { status: 'failed' })
      expect(failed.webhooks).toEqual([])
      const theirs = await signIn(service, { client_id: other.clientId })
      const foreign = await theirs.ask('dashboardWebhookList', {})
      const ids = foreign.webhooks.map(({ webhook_id }) => webhook_id)
      expect(webhooks.filter(({ webhook_id }) => ids.includes(webhook_id))).toEqual([])
    })
  })

  describe('dashboardWebhookGet', () => {
    test('has the body and each attempt', async () => {
      await fire(tenant)
      const { webhooks } = await browser.ask('dashboardWebhookList', {})
      const webhook_id = webhooks[0]?.webhook_id ?? ''
      const shown = await browser.ask('dashboardWebhookGet', { webhook_id })
      expect(JSON.parse(shown.body ?? '')).toMatchObject({ environment: 'sandbox' })
      expect(shown.tries).toMatchObject([{ number: 1, succeeded: true, status_code: 200 }])
      const theirs = await signIn(service, { client_id: other.clientId })
      expect((await theirs.send('dashboardWebhookGet', { webhook_id })).status).toBe(404)
    })
  })

  describe('dashboardWebhookRedeliver', () => {
    test('sends it again, and says so in the audit log', async () => {
      await fire(tenant)
      const { webhooks } = await browser.ask('dashboardWebhookList', {})
      const webhook_id = webhooks[0]?.webhook_id ?? ''
      const theirs = await signIn(service, { client_id: other.clientId })
      expect((await theirs.send('dashboardWebhookRedeliver', { webhook_id })).status).toBe(404)
      await browser.ask('dashboardWebhookRedeliver', { webhook_id })
      await service.service.runner.finish()
      const shown = await browser.ask('dashboardWebhookGet', { webhook_id })
      expect(shown.tries).toHaveLength(2)
      const action = 'webhook.redeliver'
      const { entries } = await browser.ask('dashboardAuditList', { action })
      expect(entries).toMatchObject([{ action, subject: webhook_id }])
      expect(entries[0]?.actor).toMatch(/^dashboard:/)
    })
  })
})

describe('dashboardAuditList', () => {
  test('has what happened to the client, the newest first', async () => {
    await signIn(service, { client_id: other.clientId })
    const user = await signIn(service, { client_id: tenant.clientId })
    const { entries } = await browser.ask('dashboardAuditList', { action: 'dashboard.sign-in' })
    expect(entries).toHaveLength(2)
    expect(entries[0]?.subject).toBe(user.id)
    const page = await browser.ask('dashboardAuditList', { count: 1 })
    const next = await browser.ask('dashboardAuditList', { count: 1, cursor: page.next_cursor })
    expect(next.entries[0]?.audit_id).not.toBe(page.entries[0]?.audit_id)
  })

  test('has the entries of a person, of an object, of an action and of a time', async () => {
    const { clientId } = tenant
    const users = [await signIn(service, { client_id: clientId, role: 'admin' })]
    users.push(await signIn(service, { client_id: clientId, role: 'developer' }))
    const [one] = users as [(typeof users)[number]]
    await one.ask('dashboardTeamUpdate', { user_id: users[1]?.id ?? '', role: 'reviewer' })
    const actor = `dashboard:${one.id}`
    const named = async (filter: object) =>
      (await browser.ask('dashboardAuditList', filter)).entries.map(({ action }) => action)
    expect(await named({ actor })).toEqual(['dashboard-user.update', 'dashboard.sign-in'])
    expect(await named({ actor, action: 'dashboard.sign-in' })).toEqual(['dashboard.sign-in'])
    const subject = users[1]?.id ?? ''
    expect(await named({ actor, subject })).toEqual(['dashboard-user.update'])
    expect(await named({ actor: 'dashboard:nobody' })).toEqual([])
    const [first] = (await browser.ask('dashboardAuditList', { actor })).entries
    const [from, to] = [first?.at ?? '', new Date(Date.parse(first?.at ?? '') + 1000).toISOString()]
    expect(await named({ actor, from, to })).toContain('dashboard-user.update')
    expect(await named({ actor, from: to })).toEqual([])
    const earlier = new Date(Date.parse(from) - 60_000).toISOString()
    expect(await named({ actor, from: earlier, to: earlier })).toEqual([])
  })

  test('goes on below the end of a time, page by page', async () => {
    const to = '2199-01-01T00:00:00Z'
    const found: string[] = []
    let cursor: string | null = null
    do {
      const page: Awaited<ReturnType<typeof read>> = await read(cursor)
      found.push(...page.entries.map(({ audit_id }) => audit_id))
      cursor = page.next_cursor
    } while (cursor !== null)
    const { entries } = await browser.ask('dashboardAuditList', {})
    expect(found).toEqual(entries.map(({ audit_id }) => audit_id))

    function read(after: string | null) {
      return browser.ask('dashboardAuditList', { to, count: 1, cursor: after })
    }
  })
})
