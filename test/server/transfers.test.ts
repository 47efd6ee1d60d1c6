import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TransferGetResponse } from '#contract/types.ts'
import { checkProduct } from '../../src/server/items/item.ts'
import { requireItem } from '../../src/server/items/store.ts'
import type { Closed } from '../../src/server/kernel/closed.ts'
import { insertTransfer } from '../../src/server/transfers/store.ts'
import { startService, type TestService } from '../support/service.ts'
import {
  createTransfer,
  errorOf,
  exampleOf,
  inContext,
  invalidField,
  migrateAccount,
  readTransfer,
} from '../support/transfers-fixtures.ts'

let service: TestService

beforeAll(async () => {
  // A Monday, 11:20 AM in New York.
  service = await startService({ clock: () => Date.parse('2026-03-09T15:20:00Z') })
})
afterAll(() => service.close())

describe('transferMigrateAccount', () => {
  test('makes an Item with one account and no institution', async () => {
    const tenant = await service.tenant()
    const { access_token, account_id } = await migrateAccount(tenant)
    const { data } = await tenant.api.accountsGet({ access_token })
    expect(data?.accounts).toEqual([
      {
        account_id,
        balances: {
          available: 0,
          current: 0,
          limit: null,
          iso_currency_code: 'USD',
          unofficial_currency_code: null,
        },
        mask: '6789',
        name: 'Checking',
        official_name: null,
        type: 'depository',
        subtype: 'checking',
      },
    ])
    expect(data?.item).toMatchObject({
      institution_id: null,
      institution_name: null,
      auth_method: 'TRANSFER_MIGRATED',
      webhook: null,
      products: ['auth', 'transfer'],
      billed_products: ['auth', 'transfer'],
      available_products: [],
      update_type: 'background',
      error: null,
    })
  })

  test.each(['identity', 'transactions', 'liabilities', 'assets'] as const)(
    'makes an Item that does not support %s',
    async (product) => {
      const tenant = await service.tenant()
      const { access_token } = await migrateAccount(tenant)
      const item = await inContext(service, tenant, (ctx) => requireItem(ctx, access_token))
      expect(() => checkProduct(item, product)).toThrow(
        expect.objectContaining({ key: 'PRODUCTS_NOT_SUPPORTED' }),
      )
    },
  )

  test('makes another Item of the same numbers', async () => {
    const tenant = await service.tenant()
    const [first, second] = [await migrateAccount(tenant), await migrateAccount(tenant)]
    expect(second.access_token).not.toBe(first.access_token)
    expect(second.account_id).not.toBe(first.account_id)
  })

  test('keeps no number in clear', async () => {
    const tenant = await service.tenant()
    await migrateAccount(tenant, { account_number: '4417093998', wire_routing_number: '026009593' })
    const rows = await service.service.database.read((db) => db.all('select * from accounts'))
    expect(JSON.stringify(rows)).not.toMatch(/4417093998|021000021|026009593/)
  })

  test('is rejected until it is granted', async () => {
    const tenant = await service.tenant([])
    const { error } = await tenant.api.transferMigrateAccount({
      account_number: '000123456789',
      routing_number: '021000021',
      account_type: 'savings',
    })
    expect(error).toMatchObject({
      error_type: 'INVALID_INPUT',
      error_code: 'UNAUTHORIZED_ROUTE_ACCESS',
    })
  })

  test.each([
    ['routing_number', '021000022'],
    ['wire_routing_number', '026009594'],
  ])('rejects a %s whose check digit does not fit', async (field, number) => {
    const tenant = await service.tenant()
    const numbers = { account_number: '4417093', routing_number: '021000021' }
    const body = { ...numbers, account_type: 'savings', [field]: number }
    expect(await errorOf(tenant, '/transfer/migrate_account', body)).toEqual(invalidField(field))
  })

  test.each(['123', '123456789012345678', '12-345678'])(
    'rejects the account number %s',
    async (account_number) => {
      const tenant = await service.tenant()
      const body = { account_number, routing_number: '021000021', account_type: 'savings' }
      const { code } = await errorOf(tenant, '/transfer/migrate_account', body)
      expect(code).toBe('INVALID_ACCOUNT_NUMBER')
    },
  )
})

describe('transferGet', () => {
  test('finds a transfer by its own id and by that of its authorization', async () => {
    const tenant = await service.tenant()
    const created = await createTransfer(tenant)
    const { authorization_id } = created
    const byId = await tenant.api.transferGet({ transfer_id: created.id })
    const byAuthorization = await tenant.api.transferGet({ authorization_id })
    expect(byId.data?.transfer).toEqual(created)
    expect(byAuthorization.data?.transfer).toEqual(created)
  })

  test('rejects unknown ids and those of other clients alike', async () => {
    const [tenant, other] = [await service.tenant(), await service.tenant()]
    const { id, authorization_id } = await createTransfer(other)
    const refuse = (body: object) => errorOf(tenant, '/transfer/get', body)
    expect(await refuse({ transfer_id: id })).toEqual(invalidField('transfer_id'))
    expect(await refuse({ transfer_id: id })).toEqual(await refuse({ transfer_id: 'x' }))
    expect(await refuse({ authorization_id })).toEqual(invalidField('authorization_id'))
    expect(await refuse({ authorization_id: id })).toEqual(await refuse({ authorization_id }))
  })

  test('rejects none of the ids and both of them', async () => {
    const tenant = await service.tenant()
    const both = { transfer_id: 'a', authorization_id: 'b' }
    expect((await errorOf(tenant, '/transfer/get', {})).code).toBe('MISSING_FIELDS')
    expect((await errorOf(tenant, '/transfer/get', both)).code).toBe('INVALID_FIELD')
  })

  test('reads what was made for an originator with and without naming it', async () => {
    const [tenant, originator] = [await service.tenant(), await service.tenant()]
    const originator_client_id = originator.clientId
    const created = await createTransfer(tenant, { originator_client_id })
    expect(created.originator_client_id).toBe(originator_client_id)
    const named = await tenant.api.transferGet({ transfer_id: created.id, originator_client_id })
    expect(named.data?.transfer).toEqual(created)
    expect(await readTransfer(tenant, created.id)).toEqual(created)
  })

  test('tells an originator that does not exist from one that granted nothing', async () => {
    const [tenant, stranger] = [await service.tenant(), await service.tenant()]
    const { id: transfer_id } = await createTransfer(tenant)
    const codeFor = async (originator_client_id: string) => {
      const body = { transfer_id, originator_client_id }
      return (await tenant.api.transferGet(body)).error?.error_code
    }
    expect(await codeFor('nobody')).toBe('TRANSFER_ORIGINATOR_NOT_FOUND')
    expect(await codeFor(tenant.clientId)).toBe('TRANSFER_ORIGINATOR_NOT_FOUND')
    expect(await codeFor(stranger.clientId)).toBe('UNAUTHORIZED_ACCESS')
  })

  test('rejects a transfer that was not made for the named originator', async () => {
    const [tenant, originator] = [await service.tenant(), await service.tenant()]
    const originator_client_id = originator.clientId
    await createTransfer(tenant, { originator_client_id })
    const own = await createTransfer(tenant)
    const body = { transfer_id: own.id, originator_client_id }
    expect(await errorOf(tenant, '/transfer/get', body)).toEqual(invalidField('transfer_id'))
  })

  test('takes null for the originator as left out', async () => {
    const tenant = await service.tenant()
    const { id } = await createTransfer(tenant)
    const { data } = await tenant.api.transferGet({ transfer_id: id, originator_client_id: null })
    expect(data?.transfer.id).toBe(id)
  })

  test('shows a pending transfer as not cancellable once the cut-off has passed', async () => {
    const tenant = await service.tenant()
    const { id, cancellable } = await createTransfer(tenant)
    expect(cancellable).toBe(true)
    await tenant.control('sandboxClockAdvance', { to: '2026-03-10T00:29:59Z' })
    expect((await readTransfer(tenant, id)).cancellable).toBe(true)
    await tenant.control('sandboxClockAdvance', { seconds: 1 })
    expect(await readTransfer(tenant, id)).toMatchObject({ status: 'pending', cancellable: false })
  })

  test('lists the refunds of that transfer alone', async () => {
    const tenant = await service.tenant()
    const [one, two] = [await createTransfer(tenant), await createTransfer(tenant)]
    const body = { transfer_id: one.id, amount: '1.00' }
    const { refund } = await tenant.control('sandboxTransferRefundCreate', body)
    expect((await readTransfer(tenant, one.id)).refunds).toEqual([refund])
    expect((await readTransfer(tenant, two.id)).refunds).toEqual([])
  })

  const described = ['', 'Pending', 'Returned', 'Wire'].map((name) => `transferGetResponse${name}`)

  test.each(described)('shows a transfer of the seed data in full, as in %s', async (name) => {
    const tenant = await service.tenant()
    const { transfer } = exampleOf<Closed<TransferGetResponse>>(name)
    const { cancellable: _, ...input } = transfer
    await inContext(service, tenant, (ctx) => insertTransfer(ctx, input))
    await tenant.control('sandboxClockAdvance', { to: '2026-03-16T14:05:09Z' })
    expect(await readTransfer(tenant, transfer.id)).toEqual(transfer)
  })
})
