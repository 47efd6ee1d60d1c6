import { afterAll, beforeAll, beforeEach, describe, expect, expectTypeOf, test } from 'vitest'
import { createClient, ServiceError, syncTransactions, type Transaction } from '../../src/index.ts'
import { recorder, rejection } from '../support/recorder.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'
import { daysAgo, insertReadyItem, start, today } from '../support/transactions-fixtures.ts'

let service: TestService
beforeAll(async () => {
  service = await startService({ clock: () => Date.parse(start) })
})
afterAll(() => service.close())

let tenant: Tenant
let access_token: string
const days = Array.from({ length: 7 }, (_, day) => ({ date: daysAgo(day), amount: day + 1 }))

beforeEach(async () => {
  tenant = await service.tenant()
  access_token = (await insertReadyItem(service, tenant, days)).access_token
})

const arrive = (amount: number) =>
  tenant.control('sandboxTransactionsCreate', {
    access_token,
    transactions: [
      { amount, date_posted: today, date_transacted: today, description: `NEW ${amount}` },
    ],
  })

/** The tenant's client; before some of its calls, counted from 1, something happens. */
function disturbed(before: (call: number) => Promise<unknown> | undefined) {
  const { clientId, secret } = tenant
  const cursors: string[] = []
  const client = createClient({
    baseUrl: service.url,
    clientId,
    secret,
    fetch: async (request) => {
      const { cursor } = (await request.clone().json()) as { cursor?: string }
      await before(cursors.push(cursor ?? ''))
      return service.fetch(request)
    },
  })
  return { client, cursors }
}

const amountsOf = (transactions: readonly Transaction[]) =>
  transactions.map(({ amount }) => amount).sort((a, b) => a - b)

describe('syncTransactions', () => {
  test('returns all pages as one, with the cursor of the last', async () => {
    const update = await syncTransactions(tenant.api, { access_token, count: 2 })
    expectTypeOf(update.added).toEqualTypeOf<Transaction[]>()
    expect(amountsOf(update.added)).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect(update).toMatchObject({
      modified: [],
      removed: [],
      transactions_update_status: 'HISTORICAL_UPDATE_COMPLETE',
    })
    expect(update.accounts.length).toBeGreaterThan(0)
  })

  test('goes on from the cursor that was stored', async () => {
    const { cursor } = await syncTransactions(tenant.api, { access_token, count: 2 })
    expect((await syncTransactions(tenant.api, { access_token, cursor })).added).toEqual([])
    await arrive(42)
    const next = await syncTransactions(tenant.api, { access_token, cursor })
    expect(amountsOf(next.added)).toEqual([42])
    expect(next.cursor).not.toBe(cursor)
  })

  test('starts over from the first cursor when the data changes between two pages', async () => {
    const { cursor } = await syncTransactions(tenant.api, { access_token })
    for (const amount of [11, 12, 13]) await arrive(amount)
    const { client, cursors } = disturbed((call) => (call === 2 ? arrive(14) : undefined))
    const update = await syncTransactions(client, { access_token, cursor, count: 1 })
    expect(amountsOf(update.added)).toEqual([11, 12, 13, 14])
    expect(cursors.filter((one) => one === cursor)).toHaveLength(2)
    const after = await syncTransactions(client, { access_token, cursor: update.cursor })
    expect(after.added).toEqual([])
  })

  test('gives each transaction once, however often the data changes', async () => {
    const { client } = disturbed((call) =>
      [2, 4, 6].includes(call) ? arrive(100 + call) : undefined,
    )
    const { added } = await syncTransactions(client, { access_token, count: 4 })
    expect(amountsOf(added)).toEqual([1, 2, 3, 4, 5, 6, 7, 102, 104, 106])
  })

  test('gives up after five restarts, with the error itself', async () => {
    const { client, cursors } = disturbed((call) => (call % 2 === 0 ? arrive(call) : undefined))
    const sync = syncTransactions(client, { access_token, count: 2 })
    await expect(sync).rejects.toMatchObject({
      error_code: 'TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION',
    })
    expect(cursors.filter((cursor) => cursor === '')).toHaveLength(6)
  })

  test('throws any other error at once', async () => {
    const { fetch, requests } = recorder(rejection(400, 'ITEM_LOGIN_REQUIRED'))
    const client = createClient({ baseUrl: service.url, fetch })
    await expect(syncTransactions(client, { access_token })).rejects.toBeInstanceOf(ServiceError)
    expect(requests).toHaveLength(1)
  })

  test('has every page tried again on its own after a failure that passes', async () => {
    let calls = 0
    const { clientId, secret } = tenant
    const client = createClient({
      baseUrl: service.url,
      clientId,
      secret,
      fetch: async (request) => {
        calls += 1
        if (calls === 2) return rejection(503, 'PLANNED_MAINTENANCE')
        return service.fetch(request)
      },
    })
    const { added } = await syncTransactions(client, { access_token, count: 4 })
    expect(amountsOf(added)).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect(calls).toBe(3)
  })

  test('is typed by the version of its client', async () => {
    const old = createClient({ ...tenant, baseUrl: service.url, fetch: service.fetch }).at(
      '2018-05-22',
    )
    const { added } = await syncTransactions(old, { access_token })
    expectTypeOf(added[0]!.location).toHaveProperty('zip')
    expect(added[0]?.location).toHaveProperty('zip')
  })
})
