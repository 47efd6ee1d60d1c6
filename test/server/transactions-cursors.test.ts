import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { renameTransactionsAccount } from '../../src/server/transactions/store.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'
import {
  errorOf,
  fiveDays,
  idsOf,
  inContext,
  insertReadyItem,
  insertTestItem,
  type Known,
  type Linked,
  readItem,
  rejectedWith,
  start,
  sync,
  today,
} from '../support/transactions-fixtures.ts'

let service: TestService

beforeAll(async () => {
  service = await startService({ clock: () => Date.parse(start) })
})
afterAll(() => service.close())

const path = '/transactions/sync'
const invalidField = rejectedWith('INVALID_REQUEST', 'INVALID_FIELD')

const ready = (tenant: Tenant, known: readonly Known[] = fiveDays) =>
  insertReadyItem(service, tenant, known)

const createOn = async (tenant: Tenant, { access_token }: Linked, account_id?: string) =>
  tenant.control('sandboxTransactionsCreate', {
    access_token,
    transactions: [
      {
        amount: 4.75,
        date_posted: today,
        date_transacted: today,
        description: 'KETTLE & FERN',
        ...(account_id === undefined ? {} : { account_id }),
      },
    ],
  })

describe('transactionsSync', () => {
  test('gives everything in pages, the one changed longest ago first', async () => {
    const tenant = await service.tenant()
    const item = await ready(tenant)
    const first = await sync(tenant, item, { count: 2 })
    const second = await sync(tenant, item, { count: 2, cursor: first.next_cursor })
    const third = await sync(tenant, item, { count: 2, cursor: second.next_cursor })
    expect([first, second, third].map((page) => page.has_more)).toEqual([true, true, false])
    const pages = [...first.added, ...second.added, ...third.added]
    expect(idsOf(pages)).toEqual(item.ids)
    const empty = await sync(tenant, item, { cursor: third.next_cursor })
    expect(empty).toMatchObject({ added: [], modified: [], removed: [], has_more: false })
    expect(empty.next_cursor).toBe(third.next_cursor)
  })

  test('counts updates of all three kinds together', async () => {
    const tenant = await service.tenant()
    const item = await ready(tenant)
    const { access_token, ids } = item
    const { next_cursor: cursor } = await sync(tenant, item)
    const [removed = '', changed = ''] = ids
    await tenant.control('sandboxTransactionsRemove', { access_token, transaction_ids: [removed] })
    await tenant.control('sandboxTransactionsUpdate', {
      access_token,
      transaction_id: changed,
      amount: 1.25,
    })
    await createOn(tenant, item)
    const first = await sync(tenant, item, { cursor, count: 2 })
    expect([idsOf(first.removed), idsOf(first.modified), first.added.length]).toEqual([
      [removed],
      [changed],
      0,
    ])
    expect(first.removed[0]?.account_id).toBe(item.accounts['checking'])
    const second = await sync(tenant, item, { cursor: first.next_cursor, count: 2 })
    expect([second.added.length, second.has_more]).toEqual([1, false])
  })

  test.each([
    ['a changed new one once, as it is now', [5, 7], { added: [7], modified: [], removed: [] }],
    ['nothing of one that came and went', [5, 'gone'], { added: [], modified: [], removed: [] }],
  ] as const)('shows %s', async (_, steps, expected) => {
    const tenant = await service.tenant()
    const item = await ready(tenant)
    const { access_token } = item
    const { next_cursor: cursor } = await sync(tenant, item)
    const { transaction_ids } = await createOn(tenant, item)
    const [transaction_id = ''] = transaction_ids
    for (const step of steps) {
      await (step === 'gone'
        ? tenant.control('sandboxTransactionsRemove', { access_token, transaction_ids })
        : tenant.control('sandboxTransactionsUpdate', {
            access_token,
            transaction_id,
            amount: step,
          }))
    }
    const { added, modified, removed } = await sync(tenant, item, { cursor })
    const amounts = (list: readonly { amount: number }[]) => list.map(({ amount }) => amount)
    expect({ added: amounts(added), modified: amounts(modified), removed }).toEqual(expected)
  })

  test('lists one that was changed and then removed as removed only', async () => {
    const tenant = await service.tenant()
    const item = await ready(tenant)
    const { access_token } = item
    const [transaction_id = ''] = item.ids
    const { next_cursor: cursor } = await sync(tenant, item)
    await tenant.control('sandboxTransactionsUpdate', { access_token, transaction_id, amount: 9 })
    await tenant.control('sandboxTransactionsRemove', {
      access_token,
      transaction_ids: [transaction_id],
    })
    const answer = await sync(tenant, item, { cursor })
    expect([answer.added, answer.modified, idsOf(answer.removed)]).toEqual([
      [],
      [],
      [transaction_id],
    ])
    expect((await sync(tenant, item, { cursor })).removed).toEqual(answer.removed)
  })

  test('rejects a later page after a change for good, and goes on from the first page', async () => {
    const tenant = await service.tenant()
    const item = await ready(tenant)
    const { access_token } = item
    const first = await sync(tenant, item, { count: 2 })
    await createOn(tenant, item)
    const later = { access_token, count: 2, cursor: first.next_cursor }
    const mutation = rejectedWith(
      'TRANSACTIONS_ERROR',
      'TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION',
    )
    expect(await errorOf(tenant, path, later)).toEqual(mutation)
    expect(await errorOf(tenant, path, later)).toEqual(mutation)
    expect((await sync(tenant, item)).added).toHaveLength(6)
  })

  test('accepts a finished cursor after any change', async () => {
    const tenant = await service.tenant()
    const item = await ready(tenant)
    const { next_cursor: cursor } = await sync(tenant, item)
    await createOn(tenant, item)
    expect((await sync(tenant, item, { cursor })).added).toHaveLength(1)
  })

  test('starts at this moment with the cursor now', async () => {
    const tenant = await service.tenant()
    const item = await ready(tenant)
    const { added, has_more, next_cursor: cursor } = await sync(tenant, item, { cursor: 'now' })
    expect([added, has_more]).toEqual([[], false])
    const { transaction_ids } = await createOn(tenant, item)
    expect(idsOf((await sync(tenant, item, { cursor })).added)).toEqual(transaction_ids)
  })

  test('follows one account in a stream of its own, which other accounts do not disturb', async () => {
    const tenant = await service.tenant()
    const item = await ready(tenant)
    const { accounts } = item
    const account_id = String(accounts['checking'])
    const card = String(accounts['credit card'])
    await createOn(tenant, item, card)
    const first = await sync(tenant, item, { account_id, count: 3 })
    await createOn(tenant, item, card)
    const second = await sync(tenant, item, { account_id, count: 3, cursor: first.next_cursor })
    expect([...idsOf(first.added), ...idsOf(second.added)]).toEqual(item.ids)
    expect(first.accounts.map((account) => account.account_id)).toEqual([account_id])
    await createOn(tenant, item)
    const options = { account_id }
    const third = await sync(tenant, item, { options, cursor: second.next_cursor })
    expect(third.added).toHaveLength(1)
  })

  test('rejects cursors of another Item, of another stream, and made-up ones', async () => {
    const tenant = await service.tenant()
    const [item, other] = [await ready(tenant), await ready(tenant)]
    const { access_token, accounts } = item
    const account_id = accounts['checking']
    const { next_cursor: own } = await sync(tenant, item)
    const { next_cursor: foreign } = await sync(tenant, other)
    const { next_cursor: one } = await sync(tenant, item, { account_id: String(account_id) })
    const forged = Buffer.from('1.0.AAAAAAAAAAAAAAAAAAAAAA').toString('base64url')
    for (const request of [
      { cursor: foreign },
      { cursor: own, account_id },
      { cursor: one },
      { cursor: one, account_id: accounts['credit card'] },
      { cursor: forged },
      { cursor: `${own}==` },
      { cursor: 'A' },
      { cursor: own.slice(0, -4) },
      { cursor: 'x'.repeat(257) },
    ]) {
      expect(await errorOf(tenant, path, { access_token, ...request })).toEqual(invalidField)
    }
    expect(own.length).toBeLessThanOrEqual(256)
  })

  test('rejects a bad cursor before it starts anything', async () => {
    const tenant = await service.tenant()
    const item = await insertTestItem(service, tenant)
    const { access_token } = item
    const rejection = await errorOf(tenant, path, { access_token, cursor: 'abcd' })
    expect(rejection).toEqual(invalidField)
    const { transactions_status, uses_sync } = await readItem(service, tenant, item)
    expect({ transactions_status, uses_sync }).toEqual({ transactions_status: null, uses_sync: 0 })
  })

  test('lists transactions as modified once their account has a new id', async () => {
    const tenant = await service.tenant()
    const item = await ready(tenant)
    const account_id = String(item.accounts['checking'])
    const { next_cursor: cursor } = await sync(tenant, item)
    const { next_cursor: old } = await sync(tenant, item, { account_id })
    const renamed = 'RenamedRenamedRenamedRenamedRenamed12'
    await inContext(service, tenant, async (ctx) => {
      await ctx.db.run('update accounts set account_id = $2 where account_id = $1', [
        account_id,
        renamed,
      ])
      await renameTransactionsAccount(ctx, item.item_id, account_id, renamed)
    })
    const { modified } = await sync(tenant, item, { cursor })
    expect(idsOf(modified)).toEqual(item.ids)
    expect(new Set(modified.map((one) => one.account_id))).toEqual(new Set([renamed]))
    const { access_token } = item
    expect(await errorOf(tenant, path, { access_token, cursor: old, account_id: renamed })).toEqual(
      invalidField,
    )
    expect((await sync(tenant, item, { account_id: renamed })).added).toHaveLength(5)
  })
})
