import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findItem, updateItem } from '../../src/server/items/store.ts'
import { addDays } from '../../src/server/kernel/time.ts'
import { generateItem } from '../../src/server/simulation/generate-item.ts'
import { startEvolution } from '../../src/server/transactions/check-institution.ts'
import { insertTransactions } from '../../src/server/transactions/insert-transactions.ts'
import { pullTransactions } from '../../src/server/transactions/pull.ts'
import { allFeatures, startService, type Tenant, type TestService } from '../support/service.ts'
import {
  codesOf,
  daysAgo,
  errorOf,
  idsOf,
  inContext,
  insertKnown,
  insertReadyItem,
  insertTestItem,
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

const path = '/transactions/refresh'
const seed = 'refresh'

/** An Item with a generated history that goes on with the clock. */
async function insertLivingItem(tenant: Tenant, isReady = true): Promise<Linked> {
  const { accounts: specs } = generateItem(seed, { anchor: today, country: 'US' })
  const kinds = specs.map(({ type, subtype }) => ({ type, subtype }) as never)
  const linked = await insertTestItem(service, tenant, { kinds, seed, products: ['transactions'] })
  const ids = Object.values(linked.accounts)
  const known = specs.flatMap(({ transactions }, index) =>
    transactions.map((transaction) => ({ account_id: String(ids[index]), transaction })),
  )
  await inContext(service, tenant, async (ctx) => {
    const item = await findItem(ctx, linked.item_id)
    if (!item) throw new Error('the Item was just written')
    await insertTransactions(ctx, item.item_id, known, { shown: false })
    if (isReady) {
      const complete = { transactions_status: 'HISTORICAL_UPDATE_COMPLETE', days_requested: 730 }
      await updateItem(ctx, item.item_id, complete)
      await pullTransactions(ctx, { ...item, ...complete })
    }
    await startEvolution(ctx, item)
  })
  return linked
}

const toDay = (tenant: Tenant, days: number, time = '12:00:00') =>
  tenant.control('sandboxClockAdvance', { to: `${addDays(today, days)}T${time}Z` })

/** Everything that a stream holds. */
async function readAll(tenant: Tenant, item: Linked) {
  let page = await sync(tenant, item, { count: 500 })
  const all = [...page.added]
  while (page.has_more) {
    page = await sync(tenant, item, { count: 500, cursor: page.next_cursor })
    all.push(...page.added)
  }
  return { all, cursor: page.next_cursor }
}

const balancesOf = async (tenant: Tenant, { access_token }: Linked) => {
  const { data } = await tenant.api.accountsGet({ access_token })
  return new Map(data?.accounts.map((account) => [account.account_id, account]))
}

describe('transactionsRefresh', () => {
  test('finds what the institution has since, and tells of it', async () => {
    const tenant = await service.tenant()
    const item = await insertReadyItem(service, tenant, [{}])
    const { access_token } = item
    const { next_cursor: cursor } = await sync(tenant, item)
    await takeWebhooks(service, tenant, item)
    const ids = await insertKnown(service, tenant, item, [{}, { date: daysAgo(2) }])
    expect((await sync(tenant, item, { cursor })).added).toEqual([])
    const { data } = await tenant.api.transactionsRefresh({ access_token })
    expect(data).toEqual({ request_id: expect.any(String) })
    expect(idsOf((await sync(tenant, item, { cursor })).added).sort()).toEqual(ids.sort())
    expect(await takeWebhooks(service, tenant, item)).toMatchObject([
      { webhook_code: 'DEFAULT_UPDATE', new_transactions: 2 },
      { webhook_code: 'SYNC_UPDATES_AVAILABLE', historical_update_complete: true },
    ])
  })

  test('tells nothing when nothing changed', async () => {
    const tenant = await service.tenant()
    const item = await insertReadyItem(service, tenant, [{}])
    await takeWebhooks(service, tenant, item)
    await tenant.api.transactionsRefresh({ access_token: item.access_token })
    expect(await takeWebhooks(service, tenant, item)).toEqual([])
  })

  test('sends no webhook of sync updates before the first sync', async () => {
    const tenant = await service.tenant()
    const item = await insertTestItem(service, tenant)
    const { access_token } = item
    const days = { start_date: today, end_date: today }
    await tenant.api.transactionsGet({ access_token, ...days })
    await settle(tenant)
    await insertKnown(service, tenant, item, [{}])
    await tenant.api.transactionsRefresh({ access_token })
    const codes = codesOf(await takeWebhooks(service, tenant, item))
    expect(codes).toEqual(['INITIAL_UPDATE', 'HISTORICAL_UPDATE', 'DEFAULT_UPDATE'])
  })

  test('sends nothing for an Item without a webhook', async () => {
    const tenant = await service.tenant()
    const item = await insertReadyItem(service, tenant, [{}], { webhook: null })
    expect(await takeWebhooks(service, tenant, item)).toEqual([])
  })

  test('needs transactions on the Item', async () => {
    const tenant = await service.tenant()
    const { access_token } = await insertTestItem(service, tenant)
    expect(await errorOf(tenant, path, { access_token })).toEqual(
      rejectedWith('ITEM_ERROR', 'PRODUCT_NOT_ENABLED'),
    )
    const none = await insertTestItem(service, tenant, { available: [] })
    expect(await errorOf(tenant, path, { access_token: none.access_token })).toEqual(
      rejectedWith('ITEM_ERROR', 'PRODUCTS_NOT_SUPPORTED'),
    )
  })

  test('needs the add-on, whatever the Item', async () => {
    const features = allFeatures.filter((feature) => feature !== 'transactions_refresh')
    const tenant = await service.tenant(features)
    const { access_token } = await insertTestItem(service, tenant, { available: [] })
    expect(await errorOf(tenant, path, { access_token })).toEqual(
      rejectedWith('INVALID_INPUT', 'INVALID_PRODUCT'),
    )
  })

  test('needs a depository account at ins_128026', async () => {
    const tenant = await service.tenant()
    const at = { institution_id: 'ins_128026', products: ['transactions'], available: [] }
    const card = { type: 'credit', subtype: 'credit card' } as const
    const checking = { type: 'depository', subtype: 'checking' } as const
    const cards = await insertTestItem(service, tenant, { ...at, kinds: [card] })
    expect(await errorOf(tenant, path, { access_token: cards.access_token })).toEqual(
      rejectedWith('ITEM_ERROR', 'PRODUCTS_NOT_SUPPORTED'),
    )
    const both = await insertTestItem(service, tenant, { ...at, kinds: [card, checking] })
    const { access_token } = both
    const { response } = await tenant.api.transactionsRefresh({ access_token })
    expect(response.status).toBe(200)
  })

  test.each(['INSTITUTION_DOWN', 'INSTITUTION_NOT_RESPONDING'])('tells %s', async (code) => {
    const tenant = await service.tenant()
    const { access_token } = await insertReadyItem(service, tenant, [{}])
    await inContext(service, tenant, (ctx) =>
      ctx.db.run('update items set health_error = $2 where client_id = $1', [
        tenant.clientId,
        code,
      ]),
    )
    expect(await errorOf(tenant, path, { access_token })).toEqual(
      rejectedWith('INSTITUTION_ERROR', code),
    )
  })

  test('sees the day of an Item that goes on before its daily check does', async () => {
    const tenant = await service.tenant()
    const item = await insertLivingItem(tenant)
    const { access_token } = item
    const { cursor } = await readAll(tenant, item)
    await toDay(tenant, 1, '05:00:00')
    expect((await sync(tenant, item, { cursor })).added).toEqual([])
    await tenant.api.transactionsRefresh({ access_token })
    const { added } = await sync(tenant, item, { cursor })
    expect(added.length).toBeGreaterThan(0)
    await takeWebhooks(service, tenant, item)
    await toDay(tenant, 1, '23:00:00')
    expect(await takeWebhooks(service, tenant, item)).toEqual([])
  })
})

describe('the clock', () => {
  test('shows what is dated ahead on its day', async () => {
    const tenant = await service.tenant()
    const known = [{}, { date: daysAgo(-3) }, { date: daysAgo(-8) }]
    const item = await insertReadyItem(service, tenant, known)
    await takeWebhooks(service, tenant, item)
    await toDay(tenant, 2)
    expect((await sync(tenant, item)).added).toHaveLength(1)
    await toDay(tenant, 3)
    expect((await sync(tenant, item)).added).toHaveLength(2)
    expect(codesOf(await takeWebhooks(service, tenant, item))).toEqual([
      'DEFAULT_UPDATE',
      'SYNC_UPDATES_AVAILABLE',
    ])
    await toDay(tenant, 30)
    expect(idsOf((await sync(tenant, item)).added)).toEqual(item.ids)
  })

  test('brings pay, posts what is pending under new ids, and drops some', async () => {
    const tenant = await service.tenant()
    const item = await insertLivingItem(tenant)
    const { all, cursor } = await readAll(tenant, item)
    expect(all.length).toBeGreaterThan(700)
    const before = new Map(all.map((one) => [one.transaction_id, one]))
    await takeWebhooks(service, tenant, item)
    await toDay(tenant, 60)
    const { added, modified, removed, has_more } = await sync(tenant, item, { cursor, count: 500 })
    expect([modified, has_more]).toEqual([[], false])
    const pending = all.filter((one) => one.pending)
    expect(idsOf(removed).sort()).toEqual(idsOf(pending).sort())
    const replaced = added.flatMap((one) => one.pending_transaction_id ?? [])
    expect(pending.some((one) => replaced.includes(one.transaction_id))).toBe(true)
    const salary = added.filter(
      (one) => one.personal_finance_category?.detailed === 'INCOME_SALARY',
    )
    expect(salary.length).toBeGreaterThanOrEqual(3)
    expect(added.some((one) => before.has(one.transaction_id))).toBe(false)
    const codes = new Set(codesOf(await takeWebhooks(service, tenant, item)))
    expect([...codes].sort()).toEqual([
      'DEFAULT_UPDATE',
      'SYNC_UPDATES_AVAILABLE',
      'TRANSACTIONS_REMOVED',
    ])
  })

  test('brings day by day what it brings at once', async () => {
    const [slow, fast] = [await service.tenant(), await service.tenant()]
    const [daily, later] = [await insertLivingItem(slow), await insertLivingItem(fast)]
    for (let day = 1; day <= 10; day += 1) await toDay(slow, day)
    await toDay(fast, 10)
    const [first, second] = [await readAll(slow, daily), await readAll(fast, later)]
    expect(idsOf(first.all).sort()).toEqual(idsOf(second.all).sort())
    expect(first.all.at(-1)?.date).toBe(addDays(today, 10))
  })

  test('moves balances by what posts, and what is available also by what is pending', async () => {
    const tenant = await service.tenant()
    const item = await insertLivingItem(tenant)
    const { all: before } = await readAll(tenant, item)
    const opening = await balancesOf(tenant, item)
    await toDay(tenant, 40)
    const { all: after } = await readAll(tenant, item)
    const closing = await balancesOf(tenant, item)
    const sumOf = (account_id: string, list: typeof before, withPending: boolean) =>
      list
        .filter((one) => one.account_id === account_id && (withPending || !one.pending))
        .reduce((sum, one) => sum + Math.round(one.amount * 100), 0)
    const moved = (id: string, withPending: boolean) =>
      sumOf(id, after, withPending) - sumOf(id, before, withPending)
    const cents = (amount: number | null | undefined) => Math.round((amount ?? 0) * 100)
    for (const subtype of ['checking', 'savings', 'credit card', 'student']) {
      const id = String(item.accounts[subtype])
      const [from, to] = [opening.get(id)?.balances, closing.get(id)?.balances]
      const sign = opening.get(id)?.type === 'depository' ? -1 : 1
      expect(cents(to?.current) - cents(from?.current), subtype).toBe(sign * moved(id, false))
      expect(cents(to?.available) - cents(from?.available), subtype).toBe(-moved(id, true))
    }
  })

  test('continues without webhooks for an Item without requests for transactions', async () => {
    const tenant = await service.tenant()
    const item = await insertLivingItem(tenant, false)
    await toDay(tenant, 5)
    expect(await takeWebhooks(service, tenant, item)).toEqual([])
    await sync(tenant, item, { options: { days_requested: 730 } })
    await settle(tenant)
    const { all } = await readAll(tenant, item)
    expect(
      all
        .map((one) => one.date)
        .sort()
        .at(-1),
    ).toBe(addDays(today, 5))
    // It has seen none of them pending.
    expect(all.filter((one) => one.pending_transaction_id !== null)).toEqual([])
  })

  test('waits with an Item whose login fails, and catches up when it works again', async () => {
    const tenant = await service.tenant()
    const item = await insertLivingItem(tenant)
    const { cursor } = await readAll(tenant, item)
    await takeWebhooks(service, tenant, item)
    const setHealth = (code: string | null) =>
      inContext(service, tenant, (ctx) =>
        ctx.db.run('update items set health_error = $2 where client_id = $1', [
          tenant.clientId,
          code,
        ]),
      )
    await setHealth('ITEM_LOGIN_REQUIRED')
    await toDay(tenant, 5)
    expect(await takeWebhooks(service, tenant, item)).toEqual([])
    await setHealth(null)
    await toDay(tenant, 6)
    const { added } = await sync(tenant, item, { cursor })
    const dates = new Set(added.filter((one) => !one.pending).map((one) => one.date))
    expect(dates.size).toBeGreaterThan(2)
  })

  test('stands still for an Item that was removed', async () => {
    const tenant = await service.tenant()
    const item = await insertLivingItem(tenant)
    await takeWebhooks(service, tenant, item)
    await inContext(service, tenant, (ctx) =>
      ctx.db.run('update items set removed_at = $2 where client_id = $1', [
        tenant.clientId,
        ctx.now,
      ]),
    )
    await toDay(tenant, 10)
    expect(await takeWebhooks(service, tenant, item)).toEqual([])
  })
})
