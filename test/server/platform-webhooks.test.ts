import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '../../src/index.ts'
import { createNews } from '../../src/server/pipeline/await-news.ts'
import { verifyWebhook } from '../../src/webhooks/index.ts'
import { link } from '../support/items-fixtures.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'

let service: TestService
let receiver: Receiver
let ahead = 0

beforeAll(async () => {
  service = await startService({ clock: () => Date.now() + ahead })
  receiver = await startReceiver()
})
afterAll(async () => {
  await service.close()
  await receiver.close()
})

const hour = 3_600_000

/** The cursor of this moment. */
const begin = async (tenant: Tenant): Promise<string> =>
  (await tenant.control('webhookListen', {})).next_cursor

const codesOf = (webhooks: { webhook_code: string }[]) =>
  webhooks.map(({ webhook_code }) => webhook_code)

const fire = (tenant: Tenant, access_token: string, webhook_code: 'ERROR' | 'LOGIN_REPAIRED') =>
  tenant.control('sandboxItemFireWebhook', { access_token, webhook_code, webhook_type: 'ITEM' })

describe('webhookListen', () => {
  test('returns webhooks that have no address, with bodies that verifyWebhook accepts', async () => {
    const tenant = await service.tenant()
    const { access_token, item_id } = await link(tenant)
    const cursor = await begin(tenant)
    await tenant.control('sandboxItemResetLogin', { access_token })
    const { webhooks } = await tenant.control('webhookListen', { cursor })
    expect(codesOf(webhooks)).toEqual(['ERROR'])
    const { body = '', signature = '' } = webhooks[0] ?? {}
    expect(body).toBe(JSON.stringify(JSON.parse(body), null, 2))
    const client = createClient({
      ...{ baseUrl: service.url, clientId: tenant.clientId, secret: tenant.secret },
      fetch: service.fetch,
    })
    const event = await verifyWebhook(body, { 'Service-Verification': signature }, { client })
    expect(event).toMatchObject({ webhook_type: 'ITEM', webhook_code: 'ERROR', item_id })
    await expect(
      verifyWebhook(`${body} `, { 'Service-Verification': signature }, { client }),
    ).rejects.toMatchObject({ reason: 'altered_body' })
  })

  test('gives several listeners every webhook once, whatever their pages', async () => {
    const tenant = await service.tenant()
    const { access_token } = await link(tenant)
    const first = await begin(tenant)
    await fire(tenant, access_token, 'ERROR')
    const second = await begin(tenant)
    for (const _ of [1, 2]) await fire(tenant, access_token, 'LOGIN_REPAIRED')
    const collect = async (cursor: string): Promise<string[]> => {
      const page = await tenant.control('webhookListen', { cursor, count: 1 })
      if (page.webhooks.length === 0) return []
      return [...codesOf(page.webhooks), ...(await collect(page.next_cursor))]
    }
    expect(await collect(first)).toEqual(['ERROR', 'LOGIN_REPAIRED', 'LOGIN_REPAIRED'])
    expect(await collect(second)).toEqual(['LOGIN_REPAIRED', 'LOGIN_REPAIRED'])
  })

  test('waits for a webhook, and returns as soon as there is one', async () => {
    const tenant = await service.tenant()
    const { access_token } = await link(tenant)
    const cursor = await begin(tenant)
    const waiting = tenant.control('webhookListen', { cursor, wait_seconds: 25 })
    await fire(tenant, access_token, 'ERROR')
    expect(codesOf((await waiting).webhooks)).toEqual(['ERROR'])
  })

  test('waits no longer than asked, and keeps the cursor', async () => {
    const tenant = await service.tenant()
    const cursor = await begin(tenant)
    const answer = await tenant.control('webhookListen', { cursor, wait_seconds: 1 })
    expect(answer).toMatchObject({ webhooks: [], next_cursor: cursor })
  })

  test('holds nothing up while it waits, and ends when the service pauses', async () => {
    const tenant = await service.tenant()
    const cursor = await begin(tenant)
    const waiting = tenant.control('webhookListen', { cursor, wait_seconds: 25 })
    await tenant.api.institutionsSearch({ query: 'a', country_codes: ['US'] } as never)
    expect(await service.quiesce(async () => 'quiet', 'cut')).toBe('quiet')
    expect((await waiting).webhooks).toEqual([])
  })

  test('stores nothing where nobody listens, and the address gets the same webhook', async () => {
    const tenant = await service.tenant()
    const other = await service.tenant()
    const { access_token } = await link(tenant, { options: { webhook: receiver.url } })
    const foreign = await begin(other)
    await fire(tenant, access_token, 'ERROR')
    const cursor = await begin(tenant)
    await fire(tenant, access_token, 'LOGIN_REPAIRED')
    const { webhooks } = await tenant.control('webhookListen', { cursor })
    expect(codesOf(webhooks)).toEqual(['LOGIN_REPAIRED'])
    const { webhooks: sent } = await tenant.control('sandboxWebhookList', { count: 1 })
    expect(sent[0]).toMatchObject({
      webhook_id: webhooks[0]?.webhook_id,
      body: webhooks[0]?.body,
      url: receiver.url,
    })
    expect((await other.control('webhookListen', { cursor: foreign })).webhooks).toEqual([])
  })

  test('goes on after a reset of the sandbox', async () => {
    const tenant = await service.tenant()
    const { access_token: before } = await link(tenant)
    const cursor = await begin(tenant)
    await fire(tenant, before, 'ERROR')
    await tenant.control('sandboxReset', {})
    const { access_token } = await link(tenant)
    await fire(tenant, access_token, 'LOGIN_REPAIRED')
    const { webhooks, next_cursor } = await tenant.control('webhookListen', { cursor })
    expect(codesOf(webhooks)).toEqual(['LOGIN_REPAIRED'])
    expect((await tenant.control('webhookListen', { cursor: next_cursor })).webhooks).toEqual([])
  })

  test('signs a tampered webhook as wrong as its receiver gets it', async () => {
    const tenant = await service.tenant()
    const { access_token } = await link(tenant)
    const cursor = await begin(tenant)
    await tenant.control('sandboxItemFireWebhook', {
      ...{ access_token, webhook_code: 'ERROR', tamper: 'alg_none' },
    })
    const { webhooks } = await tenant.control('webhookListen', { cursor })
    expect(webhooks[0]?.signature).toMatch(/\.$/)
  })

  test('rejects a cursor from before a time in which nobody listened', async () => {
    const tenant = await service.tenant()
    const cursor = await begin(tenant)
    ahead += 2 * hour
    await begin(tenant)
    const { status, body } = await tenant.post('/webhook/listen', { cursor })
    expect(status).toBe(400)
    expect(body).toMatchObject({
      error_code: 'INVALID_FIELD',
      error_message: expect.stringContaining('`cursor` is too old'),
    })
    ahead = 0
  })

  test.each(['other', 'bGlzdGVuOjE0', Buffer.from('listen:999:0.1').toString('base64url')])(
    'rejects %s, which no answer gave',
    async (cursor) => {
      const tenant = await service.tenant()
      await begin(tenant)
      const { body } = await tenant.post('/webhook/listen', { cursor })
      expect(body).toMatchObject({ error_code: 'INVALID_FIELD' })
    },
  )

  test('is not in the list of calls, but its errors are', async () => {
    const tenant = await service.tenant()
    await begin(tenant)
    await tenant.post('/webhook/listen', { cursor: 'other' })
    const { requests } = await tenant.control('sandboxRequestList', {})
    expect(requests.map(({ path, status }) => ({ path, status }))).toEqual([
      { path: '/webhook/listen', status: 400 },
    ])
  })
})

describe('webhookResend', () => {
  test('sends a webhook to listeners again, with the same id and body', async () => {
    const tenant = await service.tenant()
    const { access_token } = await link(tenant)
    const cursor = await begin(tenant)
    await fire(tenant, access_token, 'ERROR')
    const first = await tenant.control('webhookListen', { cursor })
    const { webhook_id = '', body } = first.webhooks[0] ?? {}
    await tenant.control('webhookResend', { webhook_id })
    const again = await tenant.control('webhookListen', { cursor: first.next_cursor })
    expect(again.webhooks).toMatchObject([{ webhook_id, body }])
  })

  test('sends to the address and to listeners, also what was sent before anybody listened', async () => {
    const tenant = await service.tenant()
    const { access_token } = await link(tenant, { options: { webhook: receiver.url } })
    await fire(tenant, access_token, 'ERROR')
    await service.service.runner.finish()
    const { webhooks: sent } = await tenant.control('sandboxWebhookList', { count: 1 })
    const { webhook_id = '' } = sent[0] ?? {}
    const cursor = await begin(tenant)
    await tenant.control('webhookResend', { webhook_id })
    await service.service.runner.finish()
    const { webhooks } = await tenant.control('sandboxWebhookList', { count: 1 })
    expect(webhooks[0]?.attempts).toHaveLength(2)
    const heard = await tenant.control('webhookListen', { cursor })
    expect(heard.webhooks).toMatchObject([{ webhook_id }])
  })

  test('rejects a webhook of somebody else', async () => {
    const tenant = await service.tenant()
    const other = await service.tenant()
    const { access_token } = await link(tenant)
    const cursor = await begin(tenant)
    await begin(other)
    await fire(tenant, access_token, 'ERROR')
    const { webhooks } = await tenant.control('webhookListen', { cursor })
    const { webhook_id } = webhooks[0] ?? {}
    const { body } = await other.post('/webhook/resend', { webhook_id })
    expect(body).toMatchObject({ error_code: 'INVALID_FIELD' })
  })
})

describe('calls that wait for news', () => {
  const empty = {
    isEmpty: () => true,
    withoutPermit: async (wait: () => Promise<unknown>) => void (await wait()),
  }

  test('are answered at once where too many of a client wait', async () => {
    const news = createNews()
    let asked = 0
    const ask = async () => {
      asked += 1
    }
    const waiting = Array.from({ length: 16 }, () =>
      news.await({ ...empty, clientId: 'one', ms: 60_000, ask }),
    )
    await Promise.resolve()
    await news.await({ ...empty, clientId: 'one', ms: 60_000, ask })
    expect(asked).toBe(17)
    news.stop()
    await Promise.all(waiting)
    await news.await({ ...empty, clientId: 'one', ms: 60_000, ask })
    expect(asked).toBe(34)
  })
})
