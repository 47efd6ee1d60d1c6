import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insertItem } from '../../src/server/fixtures/insert-item.ts'
import { codeOf, createBank, link } from '../support/items-fixtures.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'
import { inContext, insertTestItem } from '../support/transactions-fixtures.ts'

let service: TestService
let receiver: Receiver

beforeAll(async () => {
  service = await startService({ clock: () => Date.parse('2026-03-16T12:00:00Z') })
  receiver = await startReceiver()
})
afterAll(async () => {
  await service.close()
  await receiver.close()
})

describe('itemGet', () => {
  test('shows an Item that was just linked', async () => {
    const tenant = await service.tenant()
    const { access_token, item_id } = await link(tenant)
    const { item, status } = await tenant.api.itemGet({ access_token }).orThrow()
    expect(item).toMatchObject({ item_id, error: null, created_at: '2026-03-16T12:00:00Z' })
    expect(status).toEqual({ transactions: null, last_webhook: null })
  })

  test('tells when transactions were read, when that failed, and the last webhook', async () => {
    const tenant = await service.tenant()
    const options = { webhook: receiver.url }
    const { access_token } = await link(tenant, { initial_products: ['transactions'], options })
    await tenant.control('sandboxClockAdvance', { seconds: 60 })
    const before = await tenant.api.itemGet({ access_token }).orThrow()
    expect(before.status).toEqual({
      transactions: {
        last_successful_update: expect.stringMatching(/^2026-03-16T12:0[01]/),
        last_failed_update: null,
      },
      last_webhook: {
        sent_at: expect.stringMatching(/^2026-03-16T12:0[01]/),
        code_sent: 'HISTORICAL_UPDATE',
      },
    })
    await tenant.control('sandboxItemResetLogin', { access_token })
    await tenant.control('sandboxClockAdvance', { seconds: 86_400 })
    const after = await tenant.api.itemGet({ access_token }).orThrow()
    expect(after.item.error).toMatchObject({ error_code: 'ITEM_LOGIN_REQUIRED' })
    expect(after.status.transactions).toMatchObject({
      last_successful_update: before.status.transactions?.last_successful_update,
      last_failed_update: '2026-03-17T06:00:00Z',
    })
  })

  test('is there in production, for its own client only', async () => {
    const settings = { environment: 'production', reportDelayMs: 0 } as const
    const production = await startService({ settings })
    const [tenant, other] = [await production.tenant(), await production.tenant()]
    const { access_token, item_id } = await insertTestItem(production, tenant)
    const { item } = await tenant.api.itemGet({ access_token }).orThrow()
    expect(item.item_id).toBe(item_id)
    expect(codeOf(await other.post('/item/get', { access_token }))).toBe('INVALID_ACCESS_TOKEN')
    await production.close()
  })
})

describe('itemAccessTokenInvalidate', () => {
  test('replaces the token at once, and only for its own client', async () => {
    const [tenant, other] = [await service.tenant(), await service.tenant()]
    const { access_token, item_id } = await link(tenant)
    const path = '/item/access_token/invalidate'
    expect(codeOf(await other.post(path, { access_token }))).toBe('INVALID_ACCESS_TOKEN')
    const { new_access_token } = await tenant.control('itemAccessTokenInvalidate', { access_token })
    expect(new_access_token).not.toBe(access_token)
    expect(codeOf(await tenant.post('/item/get', { access_token }))).toBe('INVALID_ACCESS_TOKEN')
    const { item } = await tenant.api.itemGet({ access_token: new_access_token }).orThrow()
    expect(item.item_id).toBe(item_id)
  })

  test('replaces it once, even when it is called twice at once', async () => {
    const tenant = await service.tenant()
    const { access_token } = await link(tenant)
    const path = '/item/access_token/invalidate'
    const calls = [1, 2].map(() => tenant.post(path, { access_token }))
    const codes = (await Promise.all(calls)).map(codeOf)
    expect(codes.map(String).sort()).toEqual(['200', 'INVALID_ACCESS_TOKEN'])
  })
})

describe('the webhook about a consent that ends', () => {
  const insert = (tenant: Tenant, consent_expiration_time: string) =>
    inContext(service, tenant, async (ctx) => {
      const nothing = { products: [], available_products: [], consented_products: [], accounts: [] }
      const { access_token } = await insertItem(ctx, {
        ...nothing,
        institution: null,
        webhook: receiver.url,
        consent_expiration_time,
      })
      return access_token
    })
  const told = async (tenant: Tenant) => {
    const { webhooks } = await tenant.control('sandboxWebhookList', {})
    return webhooks.map(({ webhook_code, body }) => [webhook_code, JSON.parse(body)])
  }

  test('is sent seven days before, once', async () => {
    const tenant = await service.tenant()
    const consent_expiration_time = '2026-03-26T12:00:00Z'
    const access_token = await insert(tenant, consent_expiration_time)
    const { item } = await tenant.api.itemGet({ access_token }).orThrow()
    await tenant.control('sandboxClockAdvance', { seconds: 3 * 86_400 - 1 })
    expect(await told(tenant)).toEqual([])
    await tenant.control('sandboxClockAdvance', { seconds: 30 * 86_400 })
    const { item_id } = item
    expect(await told(tenant)).toEqual([
      [
        'PENDING_EXPIRATION',
        expect.objectContaining({ webhook_type: 'ITEM', item_id, consent_expiration_time }),
      ],
    ])
  })

  test('is sent at once where less is left, and never of what is over or removed', async () => {
    const tenant = await service.tenant()
    await insert(tenant, '2026-03-18T12:00:00Z')
    await insert(tenant, '2026-03-16T11:59:59Z')
    const access_token = await insert(tenant, '2026-03-26T12:00:00Z')
    await tenant.api.itemRemove({ access_token }).orThrow()
    await tenant.control('sandboxClockAdvance', { seconds: 20 * 86_400 })
    expect((await told(tenant)).map(([, body]) => body.consent_expiration_time)).toEqual([
      '2026-03-18T12:00:00Z',
    ])
  })
})

describe('itemWebhookUpdate', () => {
  const linkTold = (tenant: Tenant, webhook: string | null = null) =>
    link(tenant, { initial_products: ['transactions'], options: { webhook } })
  const listTold = async (tenant: Tenant) => {
    await tenant.control('sandboxClockAdvance', { seconds: 0 })
    return (await tenant.control('sandboxWebhookList', {})).webhooks
  }
  const findTold = (all: Awaited<ReturnType<typeof listTold>>, code: string) =>
    all.find(({ webhook_code }) => webhook_code === code)

  test('tells the new address, and sends what follows there', async () => {
    const tenant = await service.tenant()
    const { access_token, item_id } = await linkTold(tenant)
    const webhook = `${receiver.url}/new`
    const { item } = await tenant.api.itemWebhookUpdate({ access_token, webhook }).orThrow()
    expect(item).toMatchObject({ item_id, webhook, created_at: expect.any(String) })
    const told = findTold(await listTold(tenant), 'WEBHOOK_UPDATE_ACKNOWLEDGED')
    expect(told).toMatchObject({ url: webhook, status: 'delivered' })
    const body = { item_id, new_webhook_url: webhook, error: null, environment: 'sandbox' }
    expect(JSON.parse(told?.body ?? '')).toMatchObject(body)
    const webhook_code = 'NEW_ACCOUNTS_AVAILABLE'
    await tenant.control('sandboxItemFireWebhook', { access_token, webhook_code })
    expect(findTold(await listTold(tenant), webhook_code)).toMatchObject({ url: webhook })
  })

  test('stops webhooks with null, those that wait included', async () => {
    const tenant = await service.tenant()
    const { access_token } = await linkTold(tenant, 'http://127.0.0.1:1/nobody')
    const webhook_code = 'NEW_ACCOUNTS_AVAILABLE'
    await tenant.control('sandboxItemFireWebhook', { access_token, webhook_code })
    expect(findTold(await listTold(tenant), webhook_code)).toMatchObject({ status: 'pending' })
    const { item } = await tenant.api.itemWebhookUpdate({ access_token, webhook: null }).orThrow()
    expect(item.webhook).toBeNull()
    const after = await listTold(tenant)
    expect(after.map(({ status }) => status)).not.toContain('pending')
    expect(after.map((one) => one.webhook_code)).not.toContain('WEBHOOK_UPDATE_ACKNOWLEDGED')
  })

  test('requires the webhook, and is for its own client only', async () => {
    const [tenant, other] = [await service.tenant(), await service.tenant()]
    const { access_token } = await linkTold(tenant)
    const path = '/item/webhook/update'
    const webhook = receiver.url
    expect(codeOf(await tenant.post(path, { access_token }))).toBe('MISSING_FIELDS')
    expect(codeOf(await tenant.post(path, { access_token, webhook: 'tea' }))).toBe('INVALID_FIELD')
    expect(codeOf(await other.post(path, { access_token, webhook }))).toBe('INVALID_ACCESS_TOKEN')
    expect(await listTold(tenant)).toEqual([])
  })
})

describe('institutionsGetById', () => {
  test('shows an institution, with its brand where that is asked for', async () => {
    const tenant = await service.tenant()
    const primary_color = '#0f6b5c'
    const institution_id = await createBank(tenant, { primary_color })
    const body = { institution_id, country_codes: ['GB', 'US'] as ('GB' | 'US')[] }
    const plain = await tenant.api.institutionsGetById(body).orThrow()
    expect(plain.institution).toMatchObject({ institution_id, name: 'Tidewater Bank' })
    expect(plain.institution).not.toHaveProperty('primary_color')
    const options = { include_optional_metadata: true }
    const { institution } = await tenant.api.institutionsGetById({ ...body, options }).orThrow()
    expect(institution).toMatchObject({ primary_color })
  })

  test("rejects one of another client, of another country, and one that doesn't exist", async () => {
    const [tenant, other] = [await service.tenant(), await service.tenant()]
    const institution_id = await createBank(tenant)
    const ask = (who: typeof tenant, id: string, country: string) =>
      who.post('/institutions/get_by_id', { institution_id: id, country_codes: [country] })
    const rejected = [
      await ask(other, institution_id, 'US'),
      await ask(tenant, institution_id, 'GB'),
      await ask(tenant, 'ins_000000', 'US'),
    ]
    expect(rejected.map(codeOf)).toEqual(Array(3).fill('INVALID_INSTITUTION'))
  })
})
