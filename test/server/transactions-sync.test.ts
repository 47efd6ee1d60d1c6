import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startService, type Tenant, type TestService } from '../support/service.ts'
import {
  codesOf,
  daysAgo,
  errorOf,
  fiveDays,
  idsOf,
  inContext,
  insertKnown,
  insertReadyItem,
  insertTestItem,
  type Known,
  readItem,
  rejectedWith,
  settle,
  start,
  sync,
  takeWebhooks,
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

describe('transactionsSync', () => {
  test('starts the pulls at its first call and has nothing yet', async () => {
    const tenant = await service.tenant()
    const item = await insertTestItem(service, tenant)
    await insertKnown(service, tenant, item, fiveDays)
    expect(await sync(tenant, item)).toEqual({
      transactions_update_status: 'NOT_READY',
      accounts: [],
      added: [],
      modified: [],
      removed: [],
      next_cursor: '',
      has_more: false,
      request_id: expect.any(String),
    })
    await settle(tenant)
    const answer = await sync(tenant, item, { cursor: '' })
    expect(answer.transactions_update_status).toBe('HISTORICAL_UPDATE_COMPLETE')
    expect(answer.added).toHaveLength(5)
  })

  test('adds the product, and never lists it as available and billed', async () => {
    const tenant = await service.tenant()
    const item = await insertTestItem(service, tenant)
    await sync(tenant, item)
    expect(await readItem(service, tenant, item)).toMatchObject({
      available_products: '[]',
      billed_products: '["transactions"]',
      products: '["transactions"]',
    })
  })

  test('starts the pulls once when two first calls come together', async () => {
    const tenant = await service.tenant()
    const item = await insertTestItem(service, tenant)
    await insertKnown(service, tenant, item, fiveDays)
    const answers = await Promise.all([sync(tenant, item), sync(tenant, item)])
    expect(answers.map((answer) => answer.transactions_update_status)).toContain('NOT_READY')
    await settle(tenant)
    const codes = codesOf(await takeWebhooks(service, tenant, item))
    expect(codes.filter((code) => code === 'INITIAL_UPDATE')).toHaveLength(1)
    expect(codes.filter((code) => code === 'HISTORICAL_UPDATE')).toHaveLength(1)
    expect((await sync(tenant, item)).added).toHaveLength(5)
  })

  test('pulls as many days as the first call asks for, and no more when asked later', async () => {
    const tenant = await service.tenant()
    const known = [9, 10, 89, 90, 200].map((days) => ({ date: daysAgo(days) }))
    const item = await insertTestItem(service, tenant)
    const ids = await insertKnown(service, tenant, item, known)
    await sync(tenant, item, { options: { days_requested: 10 } })
    await settle(tenant)
    const { added } = await sync(tenant, item, { options: { days_requested: 730 } })
    expect(idsOf(added)).toEqual([ids[0]])
  })

  test('pulls 90 days by default', async () => {
    const tenant = await service.tenant()
    const item = await ready(tenant, [{ date: daysAgo(89) }, { date: daysAgo(90) }])
    expect(idsOf((await sync(tenant, item)).added)).toEqual([item.ids[0]])
  })

  test('tells of both pulls, and to those who have called sync of each', async () => {
    const tenant = await service.tenant()
    const known = [{ date: daysAgo(45) }, { date: daysAgo(29) }, { date: daysAgo(30) }, {}]
    const item = await ready(tenant, known)
    const { item_id } = item
    const environment = 'sandbox'
    expect(await takeWebhooks(service, tenant, item)).toMatchObject([
      { webhook_code: 'INITIAL_UPDATE', item_id, new_transactions: 2, environment },
      {
        webhook_code: 'SYNC_UPDATES_AVAILABLE',
        initial_update_complete: true,
        historical_update_complete: false,
      },
      { webhook_code: 'HISTORICAL_UPDATE', item_id, new_transactions: 2, environment },
      {
        webhook_code: 'SYNC_UPDATES_AVAILABLE',
        initial_update_complete: true,
        historical_update_complete: true,
      },
    ])
  })

  test('rejects an account that is not on the Item, and two that differ', async () => {
    const tenant = await service.tenant()
    const { access_token, accounts } = await ready(tenant)
    const account_id = 'zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz'
    expect(await errorOf(tenant, path, { access_token, account_id })).toEqual(
      rejectedWith('INVALID_INPUT', 'INVALID_ACCOUNT_ID'),
    )
    const both = { account_id, options: { account_id: accounts['checking'] } }
    expect(await errorOf(tenant, path, { access_token, ...both })).toEqual(invalidField)
  })

  test('shows the accounts that have transactions, and leaves investments and mortgages out', async () => {
    const tenant = await service.tenant()
    const item = await insertTestItem(service, tenant)
    const onEach = Object.values(item.accounts).map((account_id) => ({ account_id }))
    await insertKnown(service, tenant, item, onEach)
    await sync(tenant, item)
    await settle(tenant)
    const { accounts, added } = await sync(tenant, item)
    expect(accounts.map(({ subtype }) => subtype)).toEqual(['checking', 'credit card', 'student'])
    expect(added).toHaveLength(3)
  })

  test('shows mortgages of Canadian institutions', async () => {
    const tenant = await service.tenant()
    const { institution_id } = await tenant.control('sandboxInstitutionCreate', {
      name: 'Maple Harbour Credit Union',
      products: ['transactions'],
      country_codes: ['CA'],
    })
    const item = await insertTestItem(service, tenant, { institution_id })
    const account_id = String(item.accounts['mortgage'])
    await insertKnown(service, tenant, item, [{ account_id }])
    await sync(tenant, item)
    await settle(tenant)
    const { accounts } = await sync(tenant, item)
    expect(accounts.map(({ subtype }) => subtype)).toEqual(['mortgage'])
  })

  test('answers the form that the options ask for', async () => {
    const tenant = await service.tenant()
    const item = await ready(tenant, [{ amount: -20, description: 'NORTHFOLD DESIGN PAYROLL' }])
    const plain = (await sync(tenant, item)).added[0]
    expect(plain).not.toHaveProperty('original_description')
    expect(plain?.personal_finance_category).toMatchObject({ version: 'v2' })
    const options = {
      include_original_description: true,
      personal_finance_category_version: 'v1',
    } as const
    expect((await sync(tenant, item, { options })).added[0]).toMatchObject({
      original_description: 'NORTHFOLD DESIGN PAYROLL',
      personal_finance_category: { version: 'v1', detailed: 'INCOME_OTHER_INCOME' },
      personal_finance_category_icon_url: `${service.url}/icons/INCOME.png`,
    })
  })

  test('rejects Items that cannot have transactions, and tokens of others', async () => {
    const tenant = await service.tenant()
    const none = await insertTestItem(service, tenant, { available: [] })
    expect(await errorOf(tenant, path, { access_token: none.access_token })).toEqual(
      rejectedWith('ITEM_ERROR', 'PRODUCTS_NOT_SUPPORTED'),
    )
    const empty = await insertTestItem(service, tenant, { kinds: [] })
    expect(await errorOf(tenant, path, { access_token: empty.access_token })).toEqual(
      rejectedWith('ITEM_ERROR', 'NO_ACCOUNTS'),
    )
    const other = await insertTestItem(service, await service.tenant())
    expect(await errorOf(tenant, path, { access_token: other.access_token })).toEqual(
      rejectedWith('INVALID_INPUT', 'INVALID_ACCESS_TOKEN'),
    )
  })

  test('reads what was pulled while the institution is down, but pulls nothing', async () => {
    const tenant = await service.tenant()
    const [item, fresh] = [await ready(tenant), await insertTestItem(service, tenant)]
    await inContext(service, tenant, (ctx) =>
      ctx.db.run("update items set health_error = 'INSTITUTION_DOWN' where client_id = $1", [
        tenant.clientId,
      ]),
    )
    expect((await sync(tenant, item)).added).toHaveLength(5)
    const rejection = await errorOf(tenant, path, { access_token: fresh.access_token })
    expect(rejection).toEqual(rejectedWith('INSTITUTION_ERROR', 'INSTITUTION_DOWN'))
  })
})
