import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'vitest'
import { operations } from '#contract/operations.ts'
import { readBundle, requestSchema, resolve } from '../../scripts/contract/contract.ts'
import {
  type BankTransferEvent,
  createClient,
  type PaginatedOperationId,
  paginate,
  ServiceError,
  type Transaction,
  type TransactionsSyncResponse,
  type Wallet,
} from '../../src/index.ts'
import { collect } from '../support/collect.ts'
import { addTemplates, all } from '../support/identity-verification-fixtures.ts'
import { recorder, rejection } from '../support/recorder.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'
import { exampleRequest } from '../support/tour.ts'
import {
  daysAgo,
  insertReadyItem,
  type Known,
  start,
  today,
} from '../support/transactions-fixtures.ts'
import { migrateAccount } from '../support/transfers-fixtures.ts'

let service: TestService
beforeAll(async () => {
  service = await startService({ clock: () => Date.parse(start) })
  await addTemplates(service)
})
afterAll(() => service.close())

/** The tenant's client, which counts its calls and can do something before one. */
function countingClient(tenant: Tenant, before: (call: number) => unknown = () => {}) {
  const { clientId, secret } = tenant
  const counted = { calls: 0 }
  const client = createClient({
    baseUrl: service.url,
    clientId,
    secret,
    fetch: async (request) => {
      counted.calls += 1
      await before(counted.calls)
      return service.fetch(request)
    },
  })
  return { client, counted }
}

const days = Array.from({ length: 7 }, (_, day) => ({ date: daysAgo(day), amount: day + 1 }))
const wholeTime = { start_date: daysAgo(60), end_date: today }

async function ready(known: readonly Known[] = days) {
  const tenant = await service.tenant()
  const { access_token } = await insertReadyItem(service, tenant, known)
  return { tenant, access_token }
}

describe('paginate', () => {
  test('reads by cursor: every wallet, page by page', async () => {
    const tenant = await service.tenant()
    const made: string[] = []
    for (const iso_currency_code of ['GBP', 'EUR', 'GBP', 'EUR', 'GBP'] as const) {
      const wallet = await tenant.api.walletCreate({ iso_currency_code }).orThrow()
      made.push(wallet.wallet_id)
    }
    const { client, counted } = countingClient(tenant)
    const wallets = paginate(client, 'walletList', { count: 2 })
    const read: string[] = []
    for await (const wallet of wallets) {
      expectTypeOf(wallet).toEqualTypeOf<Wallet>()
      read.push(wallet.wallet_id)
    }
    expect(read.sort()).toEqual(made.sort())
    expect(counted.calls).toBe(3)
    const sizes: number[] = []
    for await (const page of wallets.pages()) sizes.push(page.wallets.length)
    expect(sizes).toEqual([2, 2, 1])
  })

  test('reads by offset: every transaction, and starts where the body says', async () => {
    const { tenant, access_token } = await ready()
    const { client, counted } = countingClient(tenant)
    const options = { count: 2, offset: 1 }
    const amounts: number[] = []
    const body = { access_token, ...wholeTime, options }
    for await (const transaction of paginate(client, 'transactionsGet', body)) {
      expectTypeOf(transaction).toEqualTypeOf<Transaction>()
      amounts.push(transaction.amount)
    }
    expect(amounts).toEqual([2, 3, 4, 5, 6, 7])
    expect(counted.calls).toBe(3)
  })

  test('reads by offset without options too', async () => {
    const { tenant, access_token } = await ready()
    const read = paginate(tenant.api, 'transactionsGet', { access_token, ...wholeTime })
    expect(await collect(read)).toHaveLength(7)
  })

  test('loses no transaction when one arrives between two pages', async () => {
    const { tenant, access_token } = await ready()
    const { client } = countingClient(tenant, (call) => call === 2 && arrive(tenant, access_token))
    const body = { access_token, ...wholeTime, options: { count: 3 } }
    const read = await collect(paginate(client, 'transactionsGet', body))
    const amounts = new Set(read.map(({ amount }) => amount))
    for (const { amount } of days) expect(amounts).toContain(amount)
    expect(read).toHaveLength(days.length + 1)
  })

  test('reads by the last id: every event of bank transfers', async () => {
    const tenant = await service.tenant()
    const { account_id } = await migrateAccount(tenant)
    for (const amount of ['1.00', '2.00', '3.00', '4.00', '5.00']) {
      const transfer = { account_id, type: 'credit' as const, amount }
      await tenant.control('sandboxBankTransferCreate', transfer)
    }
    const ids: number[] = []
    for await (const event of paginate(tenant.api, 'bankTransferEventSync', {
      after_id: 1,
      count: 2,
    })) {
      expectTypeOf(event).toEqualTypeOf<BankTransferEvent>()
      ids.push(event.event_id)
    }
    expect(ids).toEqual([2, 3, 4, 5])
  })

  test('gives whole pages where a page has several lists', async () => {
    const { tenant, access_token } = await ready()
    const sizes: number[] = []
    for await (const page of paginate(tenant.api, 'transactionsSync', { access_token, count: 3 })) {
      expectTypeOf(page).toEqualTypeOf<TransactionsSyncResponse>()
      sizes.push(page.added.length)
    }
    expect(sizes).toEqual([3, 3, 1])
  })

  const paginated = Object.entries(operations).flatMap(([id, operation]) =>
    'pagination' in operation ? [id as PaginatedOperationId] : [],
  )
  const instead: Partial<Record<PaginatedOperationId, object>> = {
    transactionsGet: wholeTime,
    identityVerificationList: { template_id: all },
  }
  /** The fields that a request has to have, as the contract's example has them. */
  const neededFields = (id: PaginatedOperationId): object => {
    const contract = readBundle()
    const schema = requestSchema(contract.paths[operations[id].path]!.post)
    const { required: names = [] } = resolve(contract, schema)
    const entries = Object.entries(exampleRequest(id)).filter(([name]) => names.includes(name))
    return Object.fromEntries(entries)
  }

  test.each(paginated)('ends at an empty list: %s', async (id) => {
    const { tenant, access_token } = await ready([])
    const { client, counted } = countingClient(tenant)
    const fields = { ...neededFields(id), ...instead[id] }
    const body = { ...fields, ...('access_token' in fields ? { access_token } : {}) }
    for await (const page of paginate(client, id, body as never).pages()) {
      expect(page).toHaveProperty('request_id')
    }
    expect(counted.calls).toBe(1)
  })

  test('asks for no page before it is needed', async () => {
    const { tenant, access_token } = await ready()
    const { client, counted } = countingClient(tenant)
    const read = paginate(client, 'transactionsSync', { access_token, count: 1 })
    expect(counted.calls).toBe(0)
    for await (const _ of read) break
    expect(counted.calls).toBe(1)
  })

  test('throws the error of the page that is rejected', async () => {
    const page = Response.json({ wallets: [{}], next_cursor: 'next' })
    const { fetch } = recorder(page, rejection(400, 'INVALID_FIELD'))
    const client = createClient({ baseUrl: service.url, fetch })
    const read = collect(paginate(client, 'walletList', {}))
    await expect(read).rejects.toBeInstanceOf(ServiceError)
  })

  test('has its options go with every page', async () => {
    const page = Response.json({ wallets: [], next_cursor: 'next' })
    const { fetch, requests } = recorder(page, Response.json({ wallets: [], next_cursor: null }))
    const client = createClient({ baseUrl: service.url, fetch })
    const headers = { 'X-Trace': 'abc' }
    await collect(paginate(client, 'walletList', {}, { headers }))
    expect(requests.map((request) => request.headers.get('X-Trace'))).toEqual(['abc', 'abc'])
  })

  test('is typed by the version of its client', () => {
    const old = createClient({ baseUrl: service.url, version: '2018-05-22' })
    const read = paginate(old, 'transactionsSync', { access_token: 'token' })
    type Page = typeof read extends AsyncIterable<infer Each> ? Each : never
    expectTypeOf<Page['added'][number]['location']>().toHaveProperty('zip')
    // @ts-expect-error no such operation has pages
    expect(() => paginate(old, 'walletGet', {})).toThrow()
  })
})

/** One more transaction, dated today. */
function arrive(tenant: Tenant, access_token: string) {
  const one = { amount: 99, date_posted: today, date_transacted: today, description: 'NEW' }
  return tenant.control('sandboxTransactionsCreate', { access_token, transactions: [one] })
}
