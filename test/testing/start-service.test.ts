import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'vitest'
import { paths } from '../../generated/sandbox/operations.ts'
import { createClient, ServiceError } from '../../src/index.ts'
import { startService, type TestService } from '../../src/testing/index.ts'

const ready = { access_token: 'access-sandbox-00000000-0000-4000-8000-000000000001' }

let service: TestService

beforeAll(async () => {
  service = await startService()
})

afterAll(() => service.close())

describe('a service for tests', () => {
  test('answers the calls of its client with the default seed data', async () => {
    const { accounts } = await service.client.accountsGet(ready).orThrow()
    expect(accounts).toHaveLength(6)
  })

  test('can be called from elsewhere with its address and credentials', async () => {
    const { url: baseUrl, clientId, secret } = service
    const client = createClient({ baseUrl, clientId, secret })
    const { accounts } = await client.accountsGet(ready).orThrow()
    expect(accounts).toHaveLength(6)
  })

  test('runs beside others, each with seed data of its own', async () => {
    await using other = await startService()
    await other.client.itemRemove(ready).orThrow()
    const { error } = await other.client.accountsGet(ready)
    expect(error?.error_code).toBe('ITEM_NOT_FOUND')
    const { accounts } = await service.client.accountsGet(ready).orThrow()
    expect(accounts).toHaveLength(6)
  })

  test('stops answering once it is closed, and can be closed again', async () => {
    const other = await startService()
    await other.close()
    await other.close()
    await expect(other.client.accountsGet(ready)).rejects.toThrow(/accountsGet/)
  })

  test('says that it is closed to who asks for more of it', async () => {
    const other = await startService()
    const before = await other.tenant()
    const snapshot = await other.snapshot()
    await other.close()
    const asked = [
      other.tenant(),
      other.inbox(),
      before.inbox(),
      other.snapshot(),
      other.restore(snapshot),
    ]
    await Promise.all(asked.map((one) => expect(one).rejects.toThrow('the service was closed')))
  })

  test('never retries, so that a test sees each answer', async () => {
    const operation = '/accounts/get'
    const error_code = 'INTERNAL_SERVER_ERROR'
    await service.control.sandboxErrorInject({ operation, error_code }).orThrow()
    const first = await service.client.accountsGet(ready)
    expect(first.error?.error_code).toBe(error_code)
    const second = await service.client.accountsGet(ready)
    expect(second.error).toBeUndefined()
  })
})

describe('the options', () => {
  test('give seed data of your own', async () => {
    const fixture = { clients: [{ client_id: 'nightly', secret: 'nightly-secret' }] }
    await using other = await startService({ fixture })
    const client = createClient({
      baseUrl: other.url,
      clientId: 'nightly',
      secret: fixture.clients[0]!.secret,
    })
    const { wallets } = await client.walletList({}).orThrow()
    expect(wallets).toEqual([])
  })

  test('name each mistake in a fixture', async () => {
    const fixture = { clients: [{ client_id: 'nightly' }] }
    await expect(startService({ fixture })).rejects.toThrow(/clients\[0\]\.secret is required/)
  })

  test('make the same seed data of the same seed and day', async () => {
    const options = { seed: 'lighthouse', fixtureDate: '2026-03-16' }
    await using one = await startService(options)
    await using another = await startService(options)
    await using different = await startService({ ...options, seed: 'harbor' })
    const read = async ({ client }: TestService) => {
      const { added } = await client.transactionsSync({ ...ready, count: 5 }).orThrow()
      return added.map(({ transaction_id, date, amount }) => ({ transaction_id, date, amount }))
    }
    expect(await read(another)).toEqual(await read(one))
    expect(await read(different)).not.toEqual(await read(one))
  })

  test('set the version that clients ask for, types included', async () => {
    await using other = await startService({ version: '2018-05-22' })
    expect(other.client.version).toBe('2018-05-22')
    expectTypeOf(other.client.version).toEqualTypeOf<'2018-05-22'>()
    const tenant = await other.tenant()
    expect(tenant.client.version).toBe('2018-05-22')
  })

  test('count calls when asked to', async () => {
    await using other = await startService({ rateLimits: 'production' })
    const calls = Array.from({ length: 40 }, () => other.client.accountsGet(ready))
    const codes = (await Promise.all(calls)).map(({ error }) => error?.error_code)
    expect(codes).toContain('ACCOUNTS_LIMIT')
  })

  test.each([
    [{ fixtureDate: 'yesterday' }, '`fixtureDate` must be a date, YYYY-MM-DD'],
    [{ version: '2020-01-01' }, '`version` must be one of: 2018-05-22, 2019-05-29, 2020-09-14'],
    [{ rateLimits: 'some' }, '`rateLimits` must be one of: off, sandbox, production'],
    [{ reportDelayMs: -1 }, '`reportDelayMs` must be a whole number from 0 to 3600000'],
  ])('reject %o in one line', async (options, message) => {
    await expect(startService(options as object)).rejects.toThrow(message)
  })
})

describe('the control client', () => {
  test('has a method for every sandbox endpoint', () => {
    expect(Object.keys(service.control).sort()).toEqual(Object.keys(paths).sort())
  })

  test('is used as the client is', async () => {
    const { data } = await service.control.sandboxClockGet({})
    expect(Date.parse(data?.now ?? '')).not.toBeNaN()
    const { error } = await service.control.sandboxItemResetLogin({ access_token: 'unknown' })
    expect(error).toBeInstanceOf(ServiceError)
    expect(error?.error_code).toBe('INVALID_ACCESS_TOKEN')
    // @ts-expect-error: no sandbox endpoint takes this field.
    const rejected = service.control.sandboxClockAdvance({ minutes: 1 }).orThrow()
    await expect(rejected).rejects.toBeInstanceOf(ServiceError)
  })
})

describe('a tenant', () => {
  test('starts without seed data, and shares nothing with the others', async () => {
    const tenant = await service.tenant()
    expect(tenant.url).toBe(service.url)
    expect((await tenant.client.accountsGet(ready)).error?.error_code).toBe('INVALID_ACCESS_TOKEN')
    expect((await tenant.client.walletList({}).orThrow()).wallets).toEqual([])
  })

  test('has a clock of its own', async () => {
    const [one, other] = await Promise.all([service.tenant(), service.tenant()])
    await one.control.sandboxClockAdvance({ seconds: 86_400 }).orThrow()
    const [ahead, usual] = await Promise.all(
      [one, other].map(({ control }) => control.sandboxClockGet({}).orThrow()),
    )
    expect(Date.parse(ahead!.now) - Date.parse(usual!.now)).toBeGreaterThan(86_000_000)
  })

  test('may do what it was allowed', async () => {
    const tenant = await service.tenant({ disabled: ['transactions_refresh'] })
    const { access_token } = await tenant.linkItem()
    const { error } = await tenant.client.transactionsRefresh({ access_token })
    expect(error?.error_code).toBe('INVALID_PRODUCT')
  })
})

describe('linking an Item', () => {
  test('ends when its transactions can be read', async () => {
    const { access_token } = await service.linkItem()
    const update = await service.client.transactionsSync({ access_token, count: 500 }).orThrow()
    expect(update.transactions_update_status).toBe('HISTORICAL_UPDATE_COMPLETE')
    expect(update.added.length).toBeGreaterThan(100)
  })

  test('ends when its first webhooks have been tried', async () => {
    const tenant = await service.tenant()
    await using inbox = await tenant.inbox()
    await tenant.linkItem({ webhook: inbox.url })
    const codes = inbox.all.map(({ event }) => event?.webhook_code)
    expect(codes).toEqual(expect.arrayContaining(['INITIAL_UPDATE', 'HISTORICAL_UPDATE']))
  })

  test('can end before', async () => {
    const linked = await service.linkItem({ settled: false, initial_products: ['auth'] })
    expect(linked.access_token).toMatch(/^access-sandbox-/)
  })

  test('gives it exactly the accounts that you describe', async () => {
    const { access_token } = await service.linkItem({
      accounts: [
        {
          type: 'depository',
          subtype: 'checking',
          starting_balance: 320.5,
          meta: { name: 'Everyday' },
        },
      ],
    })
    const { accounts } = await service.client.accountsGet({ access_token }).orThrow()
    expect(accounts.map(({ name }) => name)).toEqual(['Everyday'])
  })

  test('tells why the service rejects', async () => {
    const linking = service.linkItem({ institution_id: 'ins_0' })
    await expect(linking).rejects.toThrow(/INVALID_INSTITUTION/)
  })
})
