import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { insertPublicToken } from '../../src/server/link/store.ts'
import { insertStaged } from '../../src/server/sources/staged-row-store.ts'
import { keptWebhooks, pruneClient } from '../../src/server/worker/retention/prune.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'
import { inContext, insertTestItem, type Linked, settle } from '../support/transactions-fixtures.ts'

// The real time is moved by the tests; that of a client by the sandbox API, which ages nothing.

const dayMs = 86_400_000
let now = Date.parse('2026-03-16T12:00:00Z')
let service: TestService
let receiver: Receiver

beforeAll(async () => {
  service = await startService({ clock: () => now, rateLimits: 'sandbox' })
})
afterAll(() => service.close())
beforeEach(async () => {
  receiver = await startReceiver()
})
afterEach(() => receiver.close())

const prune = (tenant: Tenant) => pruneClient(service.service, tenant.clientId)
const list = async (tenant: Tenant) => (await tenant.control('sandboxWebhookList', {})).webhooks

const fire = (tenant: Tenant, { access_token }: Linked) =>
  tenant.control('sandboxItemFireWebhook', {
    access_token,
    webhook_code: 'NEW_ACCOUNTS_AVAILABLE',
  })

async function link() {
  const tenant = await service.tenant()
  return { tenant, item: await insertTestItem(service, tenant, { webhook: receiver.url }) }
}

const countRows = (tenant: Tenant, table: string): Promise<number> =>
  service.service.database.read(async (db) => {
    const sql = `select count(*) as count from ${table} where client_id = $1`
    return (await db.first<{ count: number }>(sql, [tenant.clientId]))?.count ?? 0
  })

describe('a webhook', () => {
  test('goes with its attempts thirty days after the last of them, and no other does', async () => {
    const { tenant, item } = await link()
    await fire(tenant, item)
    await settle(tenant)
    now += 30 * dayMs - 1000
    const other = await link()
    await fire(other.tenant, other.item)
    await settle(other.tenant)
    await fire(tenant, item)
    await settle(tenant)
    await prune(tenant)
    expect(await list(tenant)).toHaveLength(2)
    now += 2000
    await prune(tenant)
    await prune(other.tenant)
    expect([(await list(tenant)).length, await countRows(tenant, 'webhook_attempts')]).toEqual([
      1, 1,
    ])
    expect(await list(other.tenant)).toHaveLength(1)
  })

  test('for listeners stays for an hour, and the latest stays', async () => {
    const { tenant, item } = await link()
    const { next_cursor: cursor } = await tenant.control('webhookListen', {})
    for (const _time of [1, 2, 3]) await fire(tenant, item)
    await prune(tenant)
    expect(await countRows(tenant, 'listened_webhooks')).toBe(3)
    now += 2 * 3_600_000
    await prune(tenant)
    expect(await countRows(tenant, 'listened_webhooks')).toBe(1)
    const { body } = await tenant.post('/webhook/listen', { cursor })
    expect(body).toMatchObject({ error_code: 'INVALID_FIELD' })
  })

  test('stays as long as attempts are planned', async () => {
    receiver.behave(500)
    const { tenant, item } = await link()
    await fire(tenant, item)
    await settle(tenant)
    await service.service.database.transaction((db) =>
      db.run('update webhook_deliveries set due_at = due_at + $2 where client_id = $1', [
        tenant.clientId,
        50 * dayMs,
      ]),
    )
    now += 40 * dayMs
    await prune(tenant)
    expect(await list(tenant)).toMatchObject([{ status: 'pending', attempts: [{}] }])
    receiver.behave(200)
    now += 11 * dayMs
    await settle(tenant)
    await prune(tenant)
    expect(await list(tenant)).toMatchObject([{ status: 'delivered', attempts: [{}, {}] }])
  })

  test('that is sent again stays for thirty days more', async () => {
    const { tenant, item } = await link()
    for (const _time of [1, 2]) await fire(tenant, item)
    await settle(tenant)
    now += 29 * dayMs
    const [latest, sent] = await list(tenant)
    await tenant.control('sandboxWebhookRedeliver', { webhook_id: sent!.webhook_id })
    await settle(tenant)
    now += 29 * dayMs
    await prune(tenant)
    expect(await list(tenant)).toMatchObject([{ ...latest }, { attempts: [{}, {}] }])
    now += 2 * dayMs
    await prune(tenant)
    expect(await list(tenant)).toEqual([latest])
  })

  test('that is the latest stays, so that a cursor never comes to mean a newer one', async () => {
    const { tenant, item } = await link()
    for (const _time of [1, 2, 3]) await fire(tenant, item)
    await settle(tenant)
    const body = { count: 1 }
    const page = await tenant.control('sandboxWebhookList', body)
    now += 31 * dayMs
    await prune(tenant)
    expect(await list(tenant)).toHaveLength(1)
    for (const _time of [1, 2, 3]) await fire(tenant, item)
    await settle(tenant)
    const next = await tenant.control('sandboxWebhookList', { ...body, cursor: page.next_cursor! })
    expect(next.webhooks).toEqual([])
  })

  test('does not become old by the clock of its client', async () => {
    const { tenant, item } = await link()
    await fire(tenant, item)
    await tenant.control('sandboxClockAdvance', { seconds: 315_360_000 })
    await prune(tenant)
    expect(await list(tenant)).toHaveLength(1)
  })

  test('goes when so many newer ones are there, but for those that wait', async () => {
    const { tenant } = await link()
    await insertEnded(tenant, keptWebhooks + 250)
    await service.service.database.transaction((db) =>
      db.run('update webhook_deliveries set due_at = $2 where client_id = $1 and sequence = 7', [
        tenant.clientId,
        now + dayMs,
      ]),
    )
    await prune(tenant)
    expect(await countRows(tenant, 'webhook_deliveries')).toBe(keptWebhooks + 1)
    const { webhooks: newest } = await tenant.control('sandboxWebhookList', { count: 1 })
    expect(newest[0]?.webhook_id).toBe(`webhook ${keptWebhooks + 250}`)
  })

  test('that an older program has ended is kept for as long from when it is noticed', async () => {
    const { tenant } = await link()
    await insertEnded(tenant, 4, null)
    await prune(tenant)
    now += 29 * dayMs
    await prune(tenant)
    expect(await countRows(tenant, 'webhook_deliveries')).toBe(4)
    now += 2 * dayMs
    await prune(tenant)
    expect(await countRows(tenant, 'webhook_deliveries')).toBe(1)
  })
})

/** Writes webhooks that get no more attempts. */
async function insertEnded(tenant: Tenant, count: number, endedAt: number | null = now) {
  const at = endedAt === null ? 'null' : String(endedAt)
  await service.service.database.transaction((db) =>
    db.run(
      `with recursive place (number) as (
         select 1 union all select number + 1 from place where number < ${count}
       )
       insert into webhook_deliveries (client_id, webhook_id, sequence, url, webhook_type,
           webhook_code, body, status, ended_at)
         select $1, 'webhook ' || number, number, 'http://127.0.0.1:9/', 'ITEM',
           'NEW_ACCOUNTS_AVAILABLE', '{}', 'delivered', ${at} from place`,
      [tenant.clientId],
    ),
  )
}

describe('a token', () => {
  const token = (tenant: Tenant, body: object) =>
    tenant.post('/oauth/token', {
      client_id: tenant.clientId,
      client_secret: tenant.secret,
      ...body,
    })
  const refresh = (tenant: Tenant, refresh_token: unknown) =>
    token(tenant, { grant_type: 'refresh_token', refresh_token })
  const issue = async (tenant: Tenant) =>
    (await token(tenant, { grant_type: 'client_credentials', scope: 'user:read' })).body

  test('goes thirty days after it has expired, by the clock of its client', async () => {
    const tenant = await service.tenant()
    await issue(tenant)
    await tenant.control('sandboxClockAdvance', { seconds: 31 * 86_400 })
    await prune(tenant)
    // The access token has been expired for longer than the refresh token.
    expect(await countRows(tenant, 'oauth_tokens')).toBe(1)
    await tenant.control('sandboxClockAdvance', { seconds: 30 * 86_400 })
    await prune(tenant)
    expect(await countRows(tenant, 'oauth_tokens')).toBe(0)
  })

  test('that was never exchanged goes thirty days after it has expired', async () => {
    const tenant = await service.tenant()
    const linked = await insertTestItem(service, tenant)
    const public_token = 'public-sandbox-6a2f4d0b-9f0b-4c44-8d0b-2f1f7f0f5c11'
    await inContext(service, tenant, (ctx) => insertPublicToken(ctx, { ...linked, public_token }))
    await tenant.control('sandboxClockAdvance', { seconds: 30 * 86_400 })
    await prune(tenant)
    expect(await countRows(tenant, 'public_tokens')).toBe(1)
    await tenant.control('sandboxClockAdvance', { seconds: 3600 })
    await prune(tenant)
    expect(await countRows(tenant, 'public_tokens')).toBe(0)
  })

  test('that links goes with its sessions thirty days after its end', async () => {
    const tenant = await service.tenant()
    const { link_token } = await tenant.api
      .linkTokenCreate({
        client_name: 'Larkspur Lending',
        language: 'en',
        country_codes: ['US'],
        user: { client_user_id: 'borrower-7f3a' },
        products: ['transactions'],
      })
      .orThrow()
    await tenant.control('sandboxLinkSessionFinish', { link_token, status: 'EXITED' })
    const count = () =>
      Promise.all(['link_tokens', 'link_sessions'].map((table) => countRows(tenant, table)))
    await tenant.control('sandboxClockAdvance', { seconds: 30 * 86_400 })
    await prune(tenant)
    expect(await count()).toEqual([1, 1])
    await tenant.control('sandboxClockAdvance', { seconds: 5 * 3600 })
    await prune(tenant)
    expect(await count()).toEqual([0, 0])
  })

  test('that is gone leaves what came from it to its own parent', async () => {
    const tenant = await service.tenant()
    const first = await issue(tenant)
    const second = (await refresh(tenant, first['refresh_token'])).body
    const third = (await refresh(tenant, second['refresh_token'])).body
    // As if the clock of the middle one's client had run far ahead.
    await service.service.database.transaction((db) =>
      db.run('update oauth_tokens set expires_at = 0 where token_hash = $1', [
        service.service.keys.hash(String(second['refresh_token'])),
      ]),
    )
    await prune(tenant)
    expect((await refresh(tenant, second['refresh_token'])).body['error']).toBe('invalid_grant')
    await tenant.post('/oauth/revoke', {
      client_id: tenant.clientId,
      client_secret: tenant.secret,
      token: first['refresh_token'],
    })
    const after = await refresh(tenant, third['refresh_token'])
    expect([after.status, after.body['error']]).toEqual([400, 'invalid_grant'])
  })
})

test('counts of calls go once their minute is long over', async () => {
  const tenant = await service.tenant()
  for (const access_token of ['access-sandbox-1', 'access-sandbox-2']) {
    await tenant.post('/accounts/get', { access_token })
  }
  expect(await countRows(tenant, 'rate_windows')).toBeGreaterThan(0)
  now += 2 * 3_600_000
  await prune(tenant)
  expect(await countRows(tenant, 'rate_windows')).toBe(0)
})

test('rows that an import staged go a day after it was cut off', async () => {
  const [tenant, other] = [await service.tenant(), await service.tenant()]
  const stage = (client_id: string, import_id: string, place: number) =>
    service.service.database.transaction((db) =>
      insertStaged(db, [{ client_id, import_id, place, rows: '[]', staged_at: now }]),
    )
  for (let place = 0; place < 150; place += 1) await stage(tenant.clientId, 'killed', place)
  await stage(other.clientId, 'killed', 0)
  now += dayMs
  await stage(tenant.clientId, 'running', 0)
  expect(await prune(tenant)).toBe(0)
  now += 1
  expect(await prune(tenant)).toBe(150)
  expect([await countRows(tenant, 'staged_rows'), await countRows(other, 'staged_rows')]).toEqual([
    1, 1,
  ])
})

test('what is old goes by itself once a client has had many webhooks', async () => {
  const { tenant, item } = await link()
  await insertEnded(tenant, 300, now - 31 * dayMs)
  const all = Array.from({ length: 250 * service.processes }, () => item)
  await inContext(service, tenant, async (ctx) => {
    for (const { item_id } of all) {
      const fields = { item_id, error: null }
      // Of no Item, so that they need not go one after the other.
      await ctx.emit('ITEM.NEW_ACCOUNTS_AVAILABLE', fields, { url: receiver.url })
    }
  })
  await settle(tenant)
  await expect
    .poll(() => countRows(tenant, 'webhook_deliveries'), { timeout: 10_000 })
    .toBe(all.length)
})

test('a stored call and its count go after fourteen days', async () => {
  const tenant = await service.tenant()
  await tenant.api.walletList({}).orThrow()
  const rows = async () => [
    await countRows(tenant, 'request_log'),
    await countRows(tenant, 'request_counts'),
  ]
  // A call is stored a moment after its answer.
  await expect.poll(rows).toEqual([1, 1])
  now += 14 * dayMs - 1000
  await prune(tenant)
  expect(await rows()).toEqual([1, 1])
  now += 3_600_000 + 2000
  await prune(tenant)
  expect(await rows()).toEqual([0, 0])
})

test('a stored call goes after the days that an option sets', async () => {
  const settings = { environment: 'sandbox', reportDelayMs: 0 } as const
  const keptCalls = { count: 1000, days: 3 }
  const other = await startService({ clock: () => now, settings: { ...settings, keptCalls } })
  const { api, clientId } = await other.tenant()
  await api.walletList({}).orThrow()
  const rows = () =>
    other.service.database.read((db) =>
      db.all('select 1 as found from request_log where client_id = $1', [clientId]),
    )
  await expect.poll(rows).toHaveLength(1)
  now += 3 * dayMs - 1000
  await pruneClient(other.service, clientId)
  expect(await rows()).toHaveLength(1)
  now += 2000
  await pruneClient(other.service, clientId)
  expect(await rows()).toEqual([])
  await other.close()
})
