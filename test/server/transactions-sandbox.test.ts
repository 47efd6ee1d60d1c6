import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TransactionsUpdateStatus } from '#contract/types.ts'
import type { SandboxTransactionInput } from '../../generated/sandbox/types.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'
import {
  codesOf,
  daysAgo,
  errorOf,
  idsOf,
  insertKnown,
  insertReadyItem,
  insertTestItem,
  type Known,
  type Linked,
  rejectedWith,
  settle,
  start,
  sync,
  takeWebhooks,
  today,
} from '../support/transactions-fixtures.ts'

let service: TestService

beforeAll(async () => {
  service = await startService({ clock: () => Date.parse(start) })
})
afterAll(() => service.close())

const invalidField = rejectedWith('INVALID_REQUEST', 'INVALID_FIELD')
const unknownId = 'zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz'

const coffee: SandboxTransactionInput = {
  amount: 4.75,
  date_posted: today,
  date_transacted: daysAgo(1),
  description: 'KETTLE & FERN LARKSPUR FALLS OR',
}

/** A ready Item, its webhooks taken, and the cursor at which its stream ends. */
async function ready(tenant: Tenant, known: readonly Known[] = [{}]) {
  const item = await insertReadyItem(service, tenant, known)
  await takeWebhooks(service, tenant, item)
  const { next_cursor: cursor } = await sync(tenant, item)
  return { ...item, cursor }
}

const create = (tenant: Tenant, { access_token }: Linked, ...inputs: object[]) =>
  tenant.control('sandboxTransactionsCreate', {
    access_token,
    transactions: inputs.map((input) => ({ ...coffee, ...input })),
  })

const codesAfter = async (tenant: Tenant, item: Linked) =>
  codesOf(await takeWebhooks(service, tenant, item))

describe('sandboxTransactionsCreate', () => {
  const path = '/sandbox/transactions/create'

  test('shows the transactions at once, and sends webhooks as after a refresh', async () => {
    const tenant = await service.tenant()
    const item = await ready(tenant)
    const { transaction_ids } = await create(tenant, item, { pending: true }, { amount: -1850 })
    const options = { include_original_description: true }
    const { added } = await sync(tenant, item, { cursor: item.cursor, options })
    expect(idsOf(added)).toEqual(transaction_ids)
    expect(added[0]).toMatchObject({
      account_id: item.accounts['checking'],
      amount: 4.75,
      date: today,
      authorized_date: daysAgo(1),
      name: coffee.description,
      original_description: coffee.description,
      pending: true,
      iso_currency_code: 'USD',
    })
    expect(added[1]).toMatchObject({ amount: -1850, pending: false })
    expect(await takeWebhooks(service, tenant, item)).toMatchObject([
      { webhook_code: 'DEFAULT_UPDATE', new_transactions: 2 },
      { webhook_code: 'SYNC_UPDATES_AVAILABLE' },
    ])
  })

  test('takes null as absent and ignores unknown fields', async () => {
    const tenant = await service.tenant()
    const item = await ready(tenant)
    const nulls = { iso_currency_code: null, account_id: null, pending: null, mood: 'fine' }
    const { transaction_ids } = await create(tenant, item, nulls)
    const { added } = await sync(tenant, item, { cursor: item.cursor })
    expect(idsOf(added)).toEqual(transaction_ids)
    expect(added[0]).toMatchObject({ pending: false, iso_currency_code: 'USD' })
  })

  test('uses the account and the currency that it is given', async () => {
    const tenant = await service.tenant()
    const item = await ready(tenant)
    const account_id = item.accounts['credit card']
    await create(tenant, item, { account_id, iso_currency_code: 'CAD' })
    const { added } = await sync(tenant, item, { cursor: item.cursor })
    expect(added[0]).toMatchObject({ account_id, iso_currency_code: 'CAD' })
  })

  test('shows a transaction of any date, also one to come', async () => {
    const tenant = await service.tenant()
    const item = await ready(tenant)
    const dates = [daysAgo(-400), daysAgo(900)]
    await create(tenant, item, ...dates.map((date_posted) => ({ date_posted })))
    const { added } = await sync(tenant, item, { cursor: item.cursor })
    expect(added.map((one) => one.date)).toEqual(dates)
  })

  test('creates all or none', async () => {
    const tenant = await service.tenant()
    const item = await ready(tenant)
    const { access_token, accounts } = item
    for (const [account_id, rejection] of [
      [unknownId, rejectedWith('INVALID_INPUT', 'INVALID_ACCOUNT_ID')],
      [accounts['brokerage'], invalidField],
    ] as const) {
      const transactions = [coffee, { ...coffee, account_id }]
      expect(await errorOf(tenant, path, { access_token, transactions })).toEqual(rejection)
    }
    expect((await sync(tenant, item, { cursor: item.cursor })).added).toEqual([])
  })

  test('needs an account where the Item has no depository one', async () => {
    const tenant = await service.tenant()
    const kinds = [{ type: 'credit', subtype: 'credit card' }] as const
    const { access_token } = await insertTestItem(service, tenant, { kinds })
    const body = { access_token, transactions: [coffee] }
    expect(await errorOf(tenant, path, body)).toEqual(invalidField)
  })

  test('tells the institution only, before anything was pulled', async () => {
    const tenant = await service.tenant()
    const item = await insertTestItem(service, tenant)
    const { transaction_ids } = await create(tenant, item, {})
    expect(await codesAfter(tenant, item)).toEqual([])
    await sync(tenant, item)
    await settle(tenant)
    expect(idsOf((await sync(tenant, item)).added)).toEqual(transaction_ids)
  })

  test("rejects another client's Item", async () => {
    const tenant = await service.tenant()
    const { access_token } = await insertTestItem(service, await service.tenant())
    expect(await errorOf(tenant, path, { access_token, transactions: [coffee] })).toEqual(
      rejectedWith('INVALID_INPUT', 'INVALID_ACCESS_TOKEN'),
    )
  })
})

describe('sandboxTransactionsUpdate', () => {
  const path = '/sandbox/transactions/update'

  test('changes what is given and leaves the rest', async () => {
    const tenant = await service.tenant()
    const item = await ready(tenant, [{ amount: 10, date: daysAgo(3) }])
    const { access_token } = item
    const [transaction_id = ''] = item.ids
    const change = { access_token, transaction_id, amount: 12.345, date_posted: daysAgo(2) }
    const { transaction_id: same } = await tenant.control('sandboxTransactionsUpdate', change)
    expect(same).toBe(transaction_id)
    const { added, modified } = await sync(tenant, item, { cursor: item.cursor })
    expect(added).toEqual([])
    const name = 'OAKMARKET #17'
    expect(modified).toMatchObject([{ transaction_id, amount: 12.35, date: daysAgo(2), name }])
    expect(await codesAfter(tenant, item)).toEqual(['SYNC_UPDATES_AVAILABLE'])
  })

  test('posts a pending one under a new id', async () => {
    const tenant = await service.tenant()
    const item = await ready(tenant, [{ pending: true, amount: 4.75 }])
    const { access_token } = item
    const [pendingId = ''] = item.ids
    const { transaction_id } = await tenant.control('sandboxTransactionsUpdate', {
      access_token,
      transaction_id: pendingId,
      amount: 5.25,
      pending: false,
    })
    expect(transaction_id).not.toBe(pendingId)
    const { added, removed, modified } = await sync(tenant, item, { cursor: item.cursor })
    expect(added).toMatchObject([
      { transaction_id, amount: 5.25, pending: false, pending_transaction_id: pendingId },
    ])
    expect([idsOf(removed), modified]).toEqual([[pendingId], []])
    expect(await takeWebhooks(service, tenant, item)).toMatchObject([
      { webhook_code: 'DEFAULT_UPDATE', new_transactions: 1 },
      { webhook_code: 'TRANSACTIONS_REMOVED', removed_transactions: [pendingId] },
      { webhook_code: 'SYNC_UPDATES_AVAILABLE' },
    ])
    const again = { access_token, transaction_id: pendingId, amount: 1 }
    expect(await errorOf(tenant, path, again)).toEqual(invalidField)
  })

  test('makes a posted one pending under the id that it has', async () => {
    const tenant = await service.tenant()
    const item = await ready(tenant)
    const { access_token } = item
    const [transaction_id = ''] = item.ids
    const change = { access_token, transaction_id, pending: true }
    await tenant.control('sandboxTransactionsUpdate', change)
    const { modified } = await sync(tenant, item, { cursor: item.cursor })
    expect(modified).toMatchObject([{ transaction_id, pending: true }])
  })

  test('sends nothing when nothing changes', async () => {
    const tenant = await service.tenant()
    const item = await ready(tenant, [{ amount: 10 }])
    const { access_token } = item
    const [transaction_id = ''] = item.ids
    const change = { access_token, transaction_id, amount: 10, pending: false }
    await tenant.control('sandboxTransactionsUpdate', change)
    expect(await codesAfter(tenant, item)).toEqual([])
    expect((await sync(tenant, item, { cursor: item.cursor })).modified).toEqual([])
  })

  test('rejects a transaction of another Item', async () => {
    const tenant = await service.tenant()
    const [item, other] = [await ready(tenant), await ready(tenant)]
    const { access_token } = item
    const body = { access_token, transaction_id: other.ids[0], amount: 1 }
    expect(await errorOf(tenant, path, body)).toEqual(invalidField)
  })
})

describe('sandboxTransactionsRemove', () => {
  test('removes the transactions at once and tells of it', async () => {
    const tenant = await service.tenant()
    const item = await ready(tenant, [{}, {}, {}])
    const { access_token, ids } = item
    const removed_transactions = ids.slice(0, 2)
    await tenant.control('sandboxTransactionsRemove', {
      access_token,
      transaction_ids: [...removed_transactions, ...removed_transactions],
    })
    const { removed } = await sync(tenant, item, { cursor: item.cursor })
    expect(idsOf(removed)).toEqual(removed_transactions)
    expect(await takeWebhooks(service, tenant, item)).toMatchObject([
      { webhook_code: 'TRANSACTIONS_REMOVED', removed_transactions },
      { webhook_code: 'SYNC_UPDATES_AVAILABLE' },
    ])
  })

  test('removes all or none', async () => {
    const tenant = await service.tenant()
    const item = await ready(tenant)
    const { access_token, ids } = item
    const body = { access_token, transaction_ids: [...ids, unknownId] }
    const rejection = await errorOf(tenant, '/sandbox/transactions/remove', body)
    expect(rejection).toEqual(invalidField)
    expect((await sync(tenant, item, { cursor: item.cursor })).removed).toEqual([])
  })
})

describe('sandboxTransactionsSetStatus', () => {
  const set = (
    tenant: Tenant,
    { access_token }: Linked,
    transactions_update_status: TransactionsUpdateStatus,
  ) => tenant.control('sandboxTransactionsSetStatus', { access_token, transactions_update_status })

  const history = [{ date: daysAgo(80) }, { date: daysAgo(50) }, { date: daysAgo(5) }]

  test('takes an Item from the start to its history, with the webhooks of each step', async () => {
    const tenant = await service.tenant()
    const item = await insertTestItem(service, tenant)
    const ids = await insertKnown(service, tenant, item, history)
    await set(tenant, item, 'NOT_READY')
    await settle(tenant)
    expect((await sync(tenant, item)).transactions_update_status).toBe('NOT_READY')
    await set(tenant, item, 'INITIAL_UPDATE_COMPLETE')
    const first = await sync(tenant, item)
    expect([first.transactions_update_status, idsOf(first.added)]).toEqual([
      'INITIAL_UPDATE_COMPLETE',
      [ids[2]],
    ])
    await set(tenant, item, 'HISTORICAL_UPDATE_COMPLETE')
    const rest = await sync(tenant, item, { cursor: first.next_cursor })
    expect(idsOf(rest.added)).toEqual([ids[0], ids[1]])
    expect(await codesAfter(tenant, item)).toEqual([
      'INITIAL_UPDATE',
      'SYNC_UPDATES_AVAILABLE',
      'HISTORICAL_UPDATE',
      'SYNC_UPDATES_AVAILABLE',
    ])
  })

  test('goes both steps at once', async () => {
    const tenant = await service.tenant()
    const item = await insertTestItem(service, tenant)
    await insertKnown(service, tenant, item, history)
    await set(tenant, item, 'HISTORICAL_UPDATE_COMPLETE')
    expect(await takeWebhooks(service, tenant, item)).toMatchObject([
      { webhook_code: 'INITIAL_UPDATE', new_transactions: 1 },
      { webhook_code: 'HISTORICAL_UPDATE', new_transactions: 2 },
    ])
    expect((await sync(tenant, item)).added).toHaveLength(3)
  })

  test('goes back, with the transactions of that time, and sends no webhook', async () => {
    const tenant = await service.tenant()
    const item = await ready(tenant, history)
    await set(tenant, item, 'INITIAL_UPDATE_COMPLETE')
    const back = await sync(tenant, item, { cursor: item.cursor })
    expect(idsOf(back.removed).sort()).toEqual(item.ids.slice(0, 2).sort())
    await set(tenant, item, 'NOT_READY')
    await settle(tenant)
    expect((await sync(tenant, item)).transactions_update_status).toBe('NOT_READY')
    expect(await codesAfter(tenant, item)).toEqual([])
    await set(tenant, item, 'HISTORICAL_UPDATE_COMPLETE')
    const { added } = await sync(tenant, item)
    expect(idsOf(added).sort()).toEqual([...item.ids].sort())
  })

  test('sets the status that never comes up by itself', async () => {
    const tenant = await service.tenant()
    const item = await ready(tenant)
    await set(tenant, item, 'TRANSACTIONS_UPDATE_STATUS_UNKNOWN')
    const { transactions_update_status, added } = await sync(tenant, item)
    expect(transactions_update_status).toBe('TRANSACTIONS_UPDATE_STATUS_UNKNOWN')
    expect(added).toHaveLength(1)
  })
})
