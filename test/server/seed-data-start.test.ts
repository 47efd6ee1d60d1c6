import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { isWeakSecret } from '../../src/server/config/weak-secret.ts'
import { openSqlite } from '../../src/server/db/sqlite.ts'
import { prepareSeedData } from '../../src/server/fixtures/prepare-seed-data.ts'
import { SeedDataError } from '../../src/server/fixtures/seed-data-error.ts'
import { createKeys } from '../../src/server/kernel/keys.ts'
import { startReceiver } from '../support/receiver.ts'
import {
  type Body,
  startService,
  startWorld,
  type Tenant,
  wellKnownClients,
} from '../support/service.ts'

const ready = 'access-sandbox-00000000-0000-4000-8000-000000000001'
const keys = createKeys(new Uint8Array(32).fill(7))
/** As random as production wants them. */
const ownSecret = '5f0c9b1e7a3d48264c8e90f2b7d61a35'
const noon = Date.parse('2026-03-16T12:00:00Z')

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  vi.restoreAllMocks()
  for (const one of open.splice(0)) await one.close()
})

async function started(
  parts: Parameters<typeof startWorld>[0] = {},
  options: Parameters<typeof startWorld>[1] = {},
) {
  const world = await startWorld({ clock: () => noon, ...parts }, options)
  open.push(world)
  return world
}

/** The answers to a few calls, without what is new in each. */
async function answersOf(client: Tenant): Promise<string> {
  const access_token = ready.replace(/1$/, '2').replace(/02$/, '42')
  const calls: [string, Body][] = [
    ['/accounts/get', { access_token: ready }],
    ['/identity/get', { access_token }],
    ['/liabilities/get', { access_token }],
    ['/transactions/sync', { access_token, count: 500 }],
    ['/wallet/list', { count: 20 }],
    ['/transfer/get', { transfer_id: '00000000-0000-4000-8000-0000000000a2' }],
    [
      '/identity_verification/list',
      { template_id: 'idvtmp_00000000000kyc', client_user_id: 'applicant-approved' },
    ],
    ['/institutions/search', { query: 'bank', country_codes: ['US', 'GB'] }],
  ]
  const bodies = []
  for (const [path, body] of calls) {
    const { request_id: _, next_cursor: __, ...rest } = (await client.post(path, body)).body
    expect(rest).not.toHaveProperty('error_code')
    bodies.push(rest)
  }
  return JSON.stringify(bodies)
}

describe('the seed', () => {
  test('decides the seed data: the same seed makes the same data', async () => {
    // With keys of its own, each is created again.
    const [one, two] = [await started({ keys }), await started({ keys })]
    expect(await answersOf(two.client)).toBe(await answersOf(one.client))
  })

  test('makes other data when it differs, but keeps the ids of the file', async () => {
    const [one, two] = [await started(), await started({}, { seed: 'other' })]
    expect(await answersOf(two.client)).not.toBe(await answersOf(one.client))
    const { body } = await two.client.post('/accounts/get', { access_token: ready })
    expect((body['item'] as Body)['item_id']).toBe('5eEvj67hPLEmwFi8wtQ9KbQ4FkzAuGsTP6kLX')
  })
})

describe('FIXTURE_DATE', () => {
  test('sets the day that dates count from', async () => {
    const service = await startService({ keys, clock: () => noon })
    open.push(service)
    await prepareSeedData(service.service, {
      environment: 'sandbox',
      fixture: undefined,
      seed: undefined,
      fixtureDate: '2026-02-16',
    })
    const client = service.tenantOf('sandbox-client', 'sandbox-secret')
    const { body } = await client.post('/dashboard_user/list', {})
    const invited = (body['dashboard_users'] as Body[]).find(({ status }) => status === 'invited')
    expect(invited!['created_at']).toBe('2026-02-11T16:40:00Z')
  })
})

describe('the first start', () => {
  test('fills the data once, even if two begin it at the same time', async () => {
    const service = await startService({ keys })
    open.push(service)
    const config = {
      environment: 'sandbox',
      fixture: undefined,
      seed: undefined,
      fixtureDate: undefined,
    } as const
    await Promise.all([1, 2].map(() => prepareSeedData(service.service, config)))
    const client = service.tenantOf('sandbox-client', 'sandbox-secret')
    expect((await client.post('/dashboard_user/list', {})).body['dashboard_users']).toHaveLength(3)
  })

  test('leaves no secret, token or number of the seed data readable in the data', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'world-'))
    const file = join(folder, 'service.sqlite')
    const world = await startWorld({ keys, clock: () => noon, database: openSqlite(file) })
    const { body } = await world.client.post('/liabilities/get', { access_token: ready })
    const { student } = body['liabilities'] as { student: { account_number: string }[] }
    await world.close()
    const data = readFileSync(file, 'latin1')
    rmSync(folder, { recursive: true })
    expect(data).toContain('Tidewater Lantern Bank')
    for (const { secret } of wellKnownClients) expect(data).not.toContain(secret)
    expect(data).not.toContain(ready)
    expect(data).not.toContain(student[0]!.account_number)
  })
})

describe('a later start', () => {
  const folders: string[] = []
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
  })

  test('keeps the data, and says that another seed comes too late', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'world-'))
    folders.push(folder)
    const file = join(folder, 'service.sqlite')
    const first = await startWorld({ keys, database: openSqlite(file) })
    await first.client.control('sandboxTransactionsRemove', {
      access_token: ready,
      transaction_ids: ['yVYN9hoDaR5Lu5oD57rqUMqEmDjp7F6ynoSGK'],
    })
    const before = await total(first.client)
    await first.close()
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const second = await started(
      { keys, database: openSqlite(file), clock: Date.now },
      { seed: 'another' },
    )
    expect(await total(second.client)).toBe(before)
    expect(warn).toHaveBeenCalledExactlyOnceWith(
      '--seed (SEED) is for the first start only: the data stays as it is',
    )
  })
})

async function total(client: Tenant): Promise<unknown> {
  const { body } = await client.post('/transactions/get', {
    access_token: ready,
    start_date: '2020-01-01',
    end_date: '2036-01-01',
  })
  return body['total_transactions']
}

describe('sandboxReset', () => {
  test('restores the seed data of the calling client, and touches no other', async () => {
    const world = await started()
    const { client, partner } = world
    const before = await answersOf(client)
    await client.control('sandboxClockAdvance', { seconds: 3 * 86_400 })
    await client.control('sandboxErrorInject', {
      operation: '/wallet/list',
      error_code: 'INTERNAL_SERVER_ERROR',
    })
    await client.post('/item/remove', { access_token: ready })
    await client.post('/wallet/create', { iso_currency_code: 'EUR' })
    await client.post('/user/create', { client_user_id: 'someone' })
    await partner.post('/wallet/create', { iso_currency_code: 'EUR' })
    await client.control('sandboxReset', {})
    expect(await answersOf(client)).toBe(before)
    expect((await client.control('sandboxClockGet', {})).now).toBe('2026-03-16T12:00:00Z')
    const again = await client.post('/user/create', { client_user_id: 'someone' })
    expect(again.status).toBe(200)
    const { body } = await partner.post('/wallet/list', {})
    expect(body['wallets']).toHaveLength(1)
  })

  test('leaves a client that no file names with nothing', async () => {
    const world = await started()
    const tenant = await world.tenant()
    await tenant.post('/wallet/create', { iso_currency_code: 'EUR' })
    await tenant.control('sandboxReset', {})
    expect((await tenant.post('/wallet/list', {})).body['wallets']).toEqual([])
  })

  test('forgets webhooks that are on their way, however they end', async () => {
    const receiver = await startReceiver()
    open.push(receiver)
    receiver.behave('hang')
    const { client, service } = await started()
    const { public_token } = await client.control('sandboxPublicTokenCreate', {
      institution_id: 'ins_109508',
      initial_products: ['identity'],
      options: { webhook: receiver.url },
    })
    const { access_token } = await client.control('itemPublicTokenExchange', { public_token })
    await client.control('sandboxItemFireWebhook', {
      access_token,
      webhook_type: 'IDENTITY',
      webhook_code: 'DEFAULT_UPDATE',
    })
    const [arrived] = await receiver.arrivals(1)
    await client.control('sandboxReset', {})
    arrived!.answer(500)
    await service.runner.runDue(client.clientId)
    expect((await client.control('sandboxWebhookList', {})).webhooks).toEqual([])
  })

  test('brings back what a file of the user changed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'world-'))
    const fixture = join(folder, 'world.yaml')
    writeFileSync(
      fixture,
      `clients: [{ client_id: sandbox-client, items: [{ access_token: ${ready}, webhook: null }] }]`,
    )
    const { client } = await started({}, { fixture })
    rmSync(folder, { recursive: true })
    await client.control('sandboxReset', {})
    const { body } = await client.post('/accounts/get', { access_token: ready })
    expect(body['item']).toMatchObject({ webhook: null, institution_id: 'ins_109508' })
  })
})

describe('production', () => {
  const start = async (fixture?: string) => {
    const service = await startService({
      keys,
      settings: { environment: 'production', reportDelayMs: 0 },
    })
    open.push(service)
    const folder = mkdtempSync(join(tmpdir(), 'world-'))
    const file = join(folder, 'world.yaml')
    if (fixture !== undefined) writeFileSync(file, fixture)
    try {
      await prepareSeedData(service.service, {
        environment: 'production',
        fixture: fixture === undefined ? undefined : file,
        seed: undefined,
        fixtureDate: undefined,
      })
    } finally {
      rmSync(folder, { recursive: true })
    }
    return service
  }

  test('starts with nothing, and holds nothing', async () => {
    const { service } = await start()
    const rows = await service.database.read((db) =>
      db.all('select client_id from clients union all select institution_id from institutions'),
    )
    expect(rows).toEqual([])
  })

  test.each([
    ['secret', 'clients: [{ client_id: acme, secret: sandbox-secret }]'],
    [
      'public_key',
      `clients: [{ client_id: acme, secret: ${ownSecret}, public_key: 5a4db07c0ffee00000000000c1ab }]`,
    ],
    [
      'access_token',
      `clients: [{ client_id: acme, secret: ${ownSecret}, items: [{ access_token: ${ready}, institution_id: null }] }]`,
    ],
  ])('rejects a %s that everybody knows', async (field, text) => {
    await expect(start(text)).rejects.toThrow(new RegExp(`world\\.yaml:1:\\d+: clients.*${field} `))
  })

  const production = 'access-production-11111111-1111-4111-8111-111111111111'
  const withItem = (more: string) =>
    `clients: [{ client_id: acme, secret: ${ownSecret}, items: [{ access_token: ${production}, institution_id: null, ${more} }] }]`

  test.each([
    ['generate', 'generate: { name: A Holder, days: 30 }'],
    [
      'accounts[0].liability',
      'accounts: [{ type: credit, subtype: credit card, name: Card, liability: {} }]',
    ],
  ])('rejects the %s of an Item, which would make data up', async (path, text) => {
    const rejected = start(withItem(text))
    await expect(rejected).rejects.toThrow(SeedDataError)
    await expect(rejected).rejects.toThrow(`clients[0].items[0].${path} makes data up`)
  })

  test('rejects a webhook to an address that it never sends to', async () => {
    await expect(start(withItem('webhook: https://10.0.0.1/w'))).rejects.toThrow(
      'clients[0].items[0].webhook must be an https:// address on the public internet',
    )
    await expect(start(withItem('webhook: https://lender.example.com/w'))).resolves.toBeDefined()
  })

  test('invents no owner of an account whose owner its file does not name', async () => {
    const service = await start(
      withItem(
        'products: [identity], accounts: [{ type: depository, subtype: checking, name: A }]',
      ),
    )
    const tenant = service.tenantOf('acme', ownSecret)
    const { body } = await tenant.post('/identity/get', { access_token: production })
    expect(body['error_code']).toBe('PRODUCTS_NOT_SUPPORTED')
  })

  test.each([
    ['of one character', 'a'],
    ['of 31 characters', ownSecret.slice(1)],
    ['that repeats one character', 'x'.repeat(64)],
    ['that repeats a word', 'correcthorse'.repeat(4)],
    ['that repeats a part and a bit', `${'batterystaple'.repeat(3)}batt`],
    ['of few characters', `${'ab'.repeat(5)}${'bcdd'.repeat(3)}${'acbd'.repeat(5)}`],
    ['that counts up', 'abcdefghijklmnopqrstuvwxyz0123456789'],
    ['to be replaced', 'change-me-please-change-me-please-now'],
    ['of words', 'my-super-Secret-production-key-2026'],
    ['of keyboard rows', 'qwertyuiopasdfghjklzxcvbnm123456'],
    ['from a cartoon', 'CorrectHorseBatteryStapleOnceMore'],
  ])('rejects a secret %s, and shows its path and not its value', async (_, secret) => {
    const rejected = start(`clients: [{ client_id: acme, secret: ${secret} }]`)
    const message = 'must be at least 32 random characters, such as `openssl rand -hex 32` prints'
    await expect(rejected).rejects.toThrow(
      new RegExp(`^\\S*world\\.yaml:1:30: clients\\[0\\]\\.secret ${message}$`),
    )
  })

  test('takes secrets as common programs make them', async () => {
    for (let round = 0; round < 2000; round += 1) {
      const bytes = createHash('sha512').update(String(round)).digest()
      const made = [
        bytes.toString('hex').slice(0, 32),
        bytes.toString('base64url').slice(0, 32),
        bytes.toString('base64').slice(0, 44),
        BigInt(`0x${bytes.toString('hex')}`)
          .toString()
          .slice(0, 40),
        bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5'),
      ]
      expect(made.filter(isWeakSecret)).toEqual([])
    }
  })

  test('holds its file and nothing of the default seed data', async () => {
    const service = await start(`clients: [{ client_id: acme, secret: ${ownSecret} }]`)
    const own = await service.tenantOf('acme', ownSecret).post('/wallet/list', {})
    expect(own.status).toBe(200)
    const known = await service
      .tenantOf('sandbox-client', 'sandbox-secret')
      .post('/wallet/list', {})
    expect(known.body['error_code']).toBe('INVALID_API_KEYS')
  })

  test('loads nothing of a file with one error', async () => {
    const text = [
      'clients:',
      `  - { client_id: one, secret: ${ownSecret} }`,
      '  - client_id: two',
      `    secret: ${ownSecret}`,
      '    transfers:',
      '      - transfer_id: 00000000-0000-4000-8000-000000000001',
      '        created: -3 days 12:00',
      '        account_id: acc',
      '        type: debit',
      '        network: ach',
      '        ach_class: web',
      "        amount: '1.00'",
      '        description: Fee',
      '        user: { legal_name: Someone }',
      '        # A pending transfer cannot settle.',
      '        events: [{ event_type: settled, at: -2 days 12:00 }]',
      '    items:',
      '      - access_token: access-production-00000000-0000-4000-8000-000000000001',
      '        institution_id: null',
      '        accounts: [{ account_id: acc, type: depository, subtype: checking, name: A }]',
    ].join('\n')
    const rejected = start(text)
    await expect(rejected).rejects.toThrow(SeedDataError)
    await expect(rejected).rejects.toThrow(
      /world\.yaml:16:18: clients\[1\]\.transfers\[0\]\.events\[0\] cannot be so/,
    )
    const [service] = open as [Awaited<ReturnType<typeof startService>>]
    const { status } = await service.tenantOf('one', ownSecret).post('/wallet/list', {})
    expect(status).toBe(400)
  })
})
