import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '../../src/index.ts'
import { pruneClient } from '../../src/server/worker/retention/prune.ts'
import { type Answered, startService, type Tenant, type TestService } from '../support/service.ts'

const dayMs = 86_400_000
let now = Date.parse('2026-03-16T12:00:00Z')
let service: TestService

beforeAll(async () => {
  service = await startService({ clock: () => now })
})
afterAll(() => service.close())

const euros = { iso_currency_code: 'EUR' }
const createWallet = (tenant: Tenant, key: string, body: object = euros) =>
  tenant.post('/wallet/create', body, { 'Idempotency-Key': key })
const countWallets = async (tenant: Tenant) =>
  (await tenant.api.walletList({}).orThrow()).wallets.length
const isReplayed = ({ headers }: Answered) => headers.get('Idempotent-Replayed')
const withoutId = ({ body: { request_id: _, ...rest } }: Answered) => rest

describe('a request with a key', () => {
  test('acts once, and returns the first answer with a request id of its own', async () => {
    const tenant = await service.tenant()
    const first = await createWallet(tenant, 'a')
    const second = await createWallet(tenant, 'a')
    expect([first.status, second.status]).toEqual([200, 200])
    expect(withoutId(second)).toEqual(withoutId(first))
    expect(second.body['request_id']).not.toBe(first.body['request_id'])
    expect([isReplayed(first), isReplayed(second)]).toEqual([null, 'true'])
    expect(await countWallets(tenant)).toBe(1)
  })

  test('acts once if it is sent many times at once, by each process', async () => {
    const tenant = await service.tenant()
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => createWallet(tenant, 'at-once')),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(new Set(answers.map(({ body }) => body['wallet_id'])).size).toBe(1)
    expect(answers.filter((answer) => isReplayed(answer) === null)).toHaveLength(1)
    expect(await countWallets(tenant)).toBe(1)
  })

  test('acts again with another key, and without one', async () => {
    const tenant = await service.tenant()
    await createWallet(tenant, 'one')
    await createWallet(tenant, 'two')
    await tenant.post('/wallet/create', euros)
    expect(await countWallets(tenant)).toBe(3)
  })

  test('is rejected with another body, and with another operation', async () => {
    const tenant = await service.tenant()
    await createWallet(tenant, 'a')
    const pounds = await createWallet(tenant, 'a', { iso_currency_code: 'GBP' })
    const user = await tenant.post(
      '/user/create',
      { client_user_id: 'one' },
      { 'Idempotency-Key': 'a' },
    )
    for (const { status, body } of [pounds, user]) {
      expect(status).toBe(400)
      expect(body).toMatchObject({
        error_code: 'INVALID_HEADERS',
        error_message: expect.stringContaining('`Idempotency-Key` must be new'),
      })
    }
    expect(await countWallets(tenant)).toBe(1)
  })

  test('is the same with its fields in another order, and with credentials in the body', async () => {
    const tenant = await service.tenant()
    const names = { given_name: 'Maren', family_name: 'Voss' }
    const body = { client_user_id: 'maren', identity: { name: names } }
    const first = await tenant.post('/user/create', body, { 'Idempotency-Key': 'k' })
    const turned = {
      identity: { name: { family_name: 'Voss', given_name: 'Maren' } },
      client_user_id: 'maren',
      client_id: tenant.clientId,
      secret: tenant.secret,
    }
    const sent = await service.fetch(
      new Request(`${service.url}/user/create`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Idempotency-Key': 'k' },
        body: JSON.stringify(turned),
      }),
    )
    const { status, headers } = sent
    const second = { status, headers, body: (await sent.json()) as Answered['body'] }
    expect([first.status, second.status]).toEqual([200, 200])
    expect(isReplayed(second)).toBe('true')
    expect(withoutId(second)).toEqual(withoutId(first))
  })

  test('belongs to its client', async () => {
    const [one, other] = [await service.tenant(), await service.tenant()]
    const first = await createWallet(one, 'shared')
    const second = await createWallet(other, 'shared')
    expect(isReplayed(second)).toBeNull()
    expect(second.body['wallet_id']).not.toBe(first.body['wallet_id'])
  })

  test('that failed can be sent again with the same key', async () => {
    const tenant = await service.tenant()
    const failed = await createWallet(tenant, 'a', { iso_currency_code: 'USD' })
    expect(failed.body['error_code']).toBe('INVALID_FIELD')
    const second = await createWallet(tenant, 'a')
    expect([second.status, isReplayed(second)]).toEqual([200, null])
  })

  test('is forgotten after 24 hours of real time, however far the client moves its clock', async () => {
    const tenant = await service.tenant()
    const first = await createWallet(tenant, 'a')
    now += dayMs - 1
    await tenant.control('sandboxClockAdvance', { seconds: 3 * 86_400 })
    expect(withoutId(await createWallet(tenant, 'a'))).toEqual(withoutId(first))
    now += 1
    const later = await createWallet(tenant, 'a', { iso_currency_code: 'GBP' })
    expect([later.status, isReplayed(later)]).toEqual([200, null])
    const again = await createWallet(tenant, 'a', { iso_currency_code: 'GBP' })
    expect(isReplayed(again)).toBe('true')
  })

  test('gets the stored answer in the version that it asks for', async () => {
    const tenant = await service.tenant()
    const create = (version: string) =>
      tenant.post('/wallet/create', euros, {
        'Idempotency-Key': 'a',
        'Service-Version': version,
      })
    const newest = await create('2020-09-14')
    const oldest = await create('2018-05-22')
    expect(isReplayed(oldest)).toBe('true')
    expect(oldest.body['wallet_id']).toBe(newest.body['wallet_id'])
  })
})

test('a clock moves once if the answer is lost and the call is repeated', async () => {
  const tenant = await service.tenant()
  const advance = () =>
    tenant.post(
      '/sandbox/clock/advance',
      { seconds: 3 * 86_400 },
      { 'Idempotency-Key': 'three-days' },
    )
  const first = await advance()
  expect(withoutId(await advance())).toEqual(withoutId(first))
  expect((await tenant.control('sandboxClockGet', {})).now).toBe(first.body['now'])
})

test('a client whose connection drops after the commit creates one wallet', async () => {
  const tenant = await service.tenant()
  await tenant.control('sandboxErrorInject', { operation: '/wallet/create', drop: true })
  const fetch = (request: Request) => service.fetch(request)
  const { clientId, secret } = tenant
  const api = createClient({ baseUrl: service.url, clientId, secret, fetch, retries: 2 })
  const { wallet_id } = await api.walletCreate({ iso_currency_code: 'EUR' }).orThrow()
  const { wallets } = await tenant.api.walletList({}).orThrow()
  expect(wallets.map((wallet) => wallet.wallet_id)).toEqual([wallet_id])
})

describe('a key', () => {
  test.each([
    ['empty', ''],
    ['a space', 'a b'],
    ['256 characters', 'x'.repeat(256)],
    ['é', 'é'],
  ])('is rejected if it is %s, before credentials are checked', async (_name, key) => {
    const tenant = service.tenantOf('nobody', 'wrong')
    const { status, body } = await createWallet(tenant, key)
    expect({ status, code: body['error_code'] }).toEqual({ status: 400, code: 'INVALID_HEADERS' })
    expect(body['error_message']).toContain('`Idempotency-Key` must have 1 to 255')
  })

  test('is ignored by operations that are safe to repeat', async () => {
    const tenant = await service.tenant()
    const headers = { 'Idempotency-Key': 'a b' }
    expect((await tenant.post('/wallet/list', {}, headers)).status).toBe(200)
  })

  test('is deleted after its time, with the answer', async () => {
    const tenant = await service.tenant()
    const count = () =>
      service.service.database.read(async (db) => {
        const sql = 'select count(*) as count from idempotency_keys where client_id = $1'
        return (await db.first<{ count: number }>(sql, [tenant.clientId]))?.count
      })
    await createWallet(tenant, 'old')
    now += dayMs
    await createWallet(tenant, 'new')
    await pruneClient(service.service, tenant.clientId)
    expect(await count()).toBe(1)
  })

  test('is stored as a hash, and its answer encrypted', async () => {
    const tenant = await service.tenant()
    const { body } = await createWallet(tenant, 'very-secret-key')
    const rows = await service.service.database.read((db) =>
      db.all('select * from idempotency_keys where client_id = $1', [tenant.clientId]),
    )
    const text = JSON.stringify(rows)
    expect(rows).toHaveLength(1)
    expect(text).not.toContain('very-secret-key')
    expect(text).not.toContain(String(body['wallet_id']))
  })
})
