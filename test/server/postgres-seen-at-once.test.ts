import { decodeProtectedHeader } from 'jose'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readyAccessToken } from '../../src/server/clients/well-known-clients.ts'
import type { DeliveryKey } from '../../src/server/queue/webhook-store.ts'
import { attemptDelivery } from '../../src/server/worker/webhooks/attempt-delivery.ts'
import { codeOf } from '../support/items-fixtures.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { startWorld, type Tenant, type TestService } from '../support/service.ts'
import { revoke, signIn, use } from '../support/token-steps.ts'
import { insertTestItem, type Linked, settle, today } from '../support/transactions-fixtures.ts'
import { judgeAll } from '../support/webhook-judge.ts'

// Two services with connections of their own on one database answer alternately: what the one
// has answered the other knows at once, and a read during a write sees a committed state.

let service: TestService & { client: Tenant }
let receiver: Receiver
beforeAll(async () => {
  service = await startWorld()
})
afterAll(() => service.close())
beforeEach(async () => {
  receiver = await startReceiver()
})
afterEach(() => receiver.close())

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)

describe('what one has answered', () => {
  test('a revoked token is rejected by the other', async () => {
    const tenant = await service.tenant()
    for (const _round of numbers(5)) {
      const { access_token } = await signIn(tenant)
      expect([await use(tenant, access_token), await use(tenant, access_token)]).toEqual([200, 200])
      await revoke(tenant, access_token)
      expect([await use(tenant, access_token), await use(tenant, access_token)]).toEqual([401, 401])
    }
  })

  test('a removed Item is gone for the other', async () => {
    const tenant = await service.tenant()
    const { access_token } = await insertTestItem(service, tenant)
    await tenant.api.accountsGet({ access_token })
    await tenant.api.itemRemove({ access_token })
    const codes = [await tenant.post('/accounts/get', { access_token })].map(codeOf)
    expect(codes).toEqual(['ITEM_NOT_FOUND'])
  })

  test('a key that has replaced another signs wherever a webhook is sent', async () => {
    const tenant = await service.tenant()
    const { access_token } = await insertTestItem(service, tenant, { webhook: receiver.url })
    const expected: string[] = []
    for (const count of [1, 2, 3, 4, 5]) {
      const { key_id } = await tenant.control('sandboxWebhookRotateKey', {})
      expected.push(key_id)
      const fire = { access_token, webhook_code: 'DEFAULT_UPDATE' as const }
      await tenant.control('sandboxItemFireWebhook', fire)
      await receiver.arrivals(count)
    }
    const signatures = receiver.received.map(({ headers }) => headers['service-verification'])
    expect(signatures.map((jwt) => decodeProtectedHeader(String(jwt)).kid)).toEqual(expected)
    expect(await judgeAll(tenant, receiver.received)).toEqual(expected.map(() => null))
  })

  test('an injected error, and its end, reach the other', async () => {
    const tenant = await service.tenant()
    const operation = '/wallet/list'
    const statuses = []
    for (const _round of numbers(3)) {
      const error_code = 'INTERNAL_SERVER_ERROR'
      await tenant.control('sandboxErrorInject', { operation, error_code, times: 2 })
      statuses.push((await tenant.post(operation, {})).status)
      await tenant.control('sandboxErrorClear', {})
      statuses.push((await tenant.post(operation, {})).status)
    }
    expect(statuses).toEqual([500, 200, 500, 200, 500, 200])
  })

  test('a clock that was moved is moved for the other', async () => {
    const tenant = await service.tenant()
    for (const days of [1, 2, 3]) {
      const { now } = await tenant.control('sandboxClockAdvance', { seconds: days * 86_400 })
      const read = await tenant.control('sandboxClockGet', {})
      expect(Date.parse(read.now)).toBeGreaterThanOrEqual(Date.parse(now))
    }
  })
})

describe('a delivery that one has begun', () => {
  test('keeps the other from all webhooks of its Item', async () => {
    const tenant = await service.tenant()
    receiver.behave('hang')
    const item = await insertTestItem(service, tenant, { webhook: receiver.url })
    const fire = { access_token: item.access_token, webhook_code: 'DEFAULT_UPDATE' as const }
    for (const _time of numbers(3)) await tenant.control('sandboxItemFireWebhook', fire)
    const [begun] = await receiver.arrivals(1)
    const { database } = service.service
    const keys = await database.single.all<DeliveryKey>(
      'select client_id, webhook_id, item_id, url from webhook_deliveries where item_id = $1',
      [item.item_id],
    )
    const { signal } = new AbortController()
    const progress = { sent() {}, answered() {} }
    const endings = keys.map((key) => attemptDelivery(service.service, key, signal, progress))
    expect(await Promise.all(endings)).toEqual(['elsewhere', 'elsewhere', 'elsewhere'])
    receiver.behave(200)
    begun!.answer(200)
    await receiver.arrivals(3)
  })
})

describe('cursors that are followed while others write', () => {
  /** Follows a stream of changes as callers do, until it has seen so many transactions. */
  async function follow(tenant: Tenant, { access_token }: Linked, count: number) {
    const seen: string[] = []
    let cursor = ''
    while (seen.length < count) {
      const { status, body } = await tenant.post('/transactions/sync', {
        access_token,
        cursor,
        count: 3,
      })
      // While pages are read a change makes the reading begin again, from the cursor it began with.
      if (status !== 200) {
        expect(body['error_code']).toBe('TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION')
        continue
      }
      if (body['has_more'] === true) {
        const whole = await readPages(tenant, access_token, cursor)
        if (!whole) continue
        seen.push(...whole.ids)
        cursor = whole.cursor
      } else {
        seen.push(...idsIn(body['added']))
        cursor = String(body['next_cursor'])
      }
    }
    return seen
  }

  const idsIn = (added: unknown) =>
    (added as { transaction_id: string }[]).map(({ transaction_id }) => transaction_id)

  /** All pages from a cursor; undefined when a change came between them. */
  async function readPages(tenant: Tenant, access_token: string, from: string) {
    const ids: string[] = []
    for (let cursor = from; ; ) {
      const call = { access_token, cursor, count: 3 }
      const { status, body } = await tenant.post('/transactions/sync', call)
      if (status !== 200) return undefined
      ids.push(...idsIn(body['added']))
      cursor = String(body['next_cursor'])
      if (body['has_more'] === false) return { ids, cursor }
    }
  }

  test('meet each transaction once', async () => {
    const tenant = await service.tenant()
    const item = await insertTestItem(service, tenant)
    const { access_token } = item
    await tenant.api.transactionsSync({ access_token })
    await settle(tenant)
    const transaction = {
      amount: 4.75,
      date_posted: today,
      date_transacted: today,
      description: 'KETTLE & FERN',
    }
    const write = async () => {
      const ids: string[] = []
      for (const _count of numbers(8)) {
        const made = await tenant.control('sandboxTransactionsCreate', {
          access_token,
          transactions: [transaction, transaction],
        })
        ids.push(...made.transaction_ids)
      }
      return ids
    }
    const [one, other, ...followed] = await Promise.all([
      write(),
      write(),
      follow(tenant, item, 32),
      follow(tenant, item, 32),
    ])
    const written = [...one, ...other].sort()
    for (const seen of followed) expect(seen.sort()).toEqual(written)
  })
})

describe('a reset while others write', () => {
  const tables = ['accounts', 'transactions', 'transaction_evolutions']

  /** Rows of Items that are not there. */
  async function countOrphans(): Promise<number[]> {
    const { database } = service.service
    return Promise.all(
      tables.map(async (table) => {
        const row = await database.single.first<{ found: number }>(
          `select count(*) as found from ${table} t where not exists (select 1 from items i
            where i.client_id = t.client_id and i.item_id = t.item_id)`,
        )
        return row?.found ?? -1
      }),
    )
  }

  test('leaves the seed data complete, and what came after it', async () => {
    const { client } = service
    const access_token = readyAccessToken
    const read = async () => [
      (await client.post('/accounts/get', { access_token })).body['accounts'],
      (await client.post('/wallet/list', {})).body['wallets'],
    ]
    const before = await read()
    const calls = [
      ['/sandbox/reset', {}],
      ['/transactions/sync', { access_token }],
      ['/wallet/create', { iso_currency_code: 'EUR' }],
      ['/transactions/refresh', { access_token }],
      ['/sandbox/clock/advance', { seconds: 86_400 }],
      ['/identity/refresh', { access_token }],
    ] as const
    const codes = await Promise.all(
      [...calls, ...calls, ...calls].map(async ([path, body]) =>
        codeOf(await client.post(path, body)),
      ),
    )
    const known = [200, 'PRODUCT_NOT_READY', 'ITEM_CONCURRENTLY_DELETED', 'ITEM_NOT_FOUND']
    for (const code of codes) expect(known).toContain(code)
    expect(await countOrphans()).toEqual([0, 0, 0])
    await client.control('sandboxReset', {})
    expect(await read()).toEqual(before)
  })
})
