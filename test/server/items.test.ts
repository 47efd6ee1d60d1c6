import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addProduct } from '../../src/server/items/item.ts'
import { findItem, type ItemRow } from '../../src/server/items/store.ts'
import {
  accountOf,
  accountsOf,
  codeOf,
  createBank,
  link,
  linkCustom,
  webhooksOf,
} from '../support/items-fixtures.ts'
import { startService, type TestService } from '../support/service.ts'
import { inContext } from '../support/transactions-fixtures.ts'

let service: TestService

beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const webhook = 'http://127.0.0.1:9/hooks'
const removedCode = 'ITEM_NOT_FOUND'

describe('accountsGet', () => {
  test('shows all open accounts, and the Item', async () => {
    const tenant = await service.tenant()
    const institution_id = await createBank(tenant)
    const { access_token, item_id } = await link(tenant, { institution_id, options: { webhook } })
    const { data } = await tenant.api.accountsGet({ access_token })
    expect(data?.accounts.map(({ subtype }) => subtype)).toEqual([
      'checking',
      'savings',
      'credit card',
      'student',
      'mortgage',
      'brokerage',
    ])
    expect(data?.item).toEqual({
      item_id,
      institution_id,
      institution_name: 'Tidewater Bank',
      webhook,
      auth_method: 'INSTANT_AUTH',
      error: null,
      available_products: [
        'assets',
        'balance',
        'identity',
        'liabilities',
        'transactions',
        'transfer',
      ],
      billed_products: ['auth'],
      products: ['auth'],
      consented_products: [
        'assets',
        'auth',
        'balance',
        'identity',
        'liabilities',
        'transactions',
        'transfer',
      ],
      consent_expiration_time: null,
      update_type: 'background',
    })
  })

  test('shows the accounts that are asked for in the order of the Item, each once', async () => {
    const tenant = await service.tenant()
    const { access_token } = await link(tenant)
    const ids = (await accountsOf(tenant, access_token)).map(({ account_id }) => account_id)
    const account_ids = [ids[2], ids[0], ids[2]] as string[]
    const { data } = await tenant.api.accountsGet({ access_token, options: { account_ids } })
    expect(data?.accounts.map(({ account_id }) => account_id)).toEqual([ids[0], ids[2]])
  })

  test('shows all accounts when the list of ids is empty', async () => {
    const tenant = await service.tenant()
    const { access_token } = await link(tenant)
    const { data } = await tenant.api.accountsGet({ access_token, options: { account_ids: [] } })
    expect(data?.accounts).toHaveLength(6)
  })

  test('rejects when one id is not of the Item, also that of another Item', async () => {
    const tenant = await service.tenant()
    const [one, two] = [await link(tenant), await link(tenant)]
    const own = await accountOf(tenant, one.access_token, 'checking')
    const other = await accountOf(tenant, two.access_token, 'checking')
    const answer = await tenant.post('/accounts/get', {
      access_token: one.access_token,
      options: { account_ids: [own.account_id, other.account_id] },
    })
    expect([answer.status, codeOf(answer)]).toEqual([400, 'INVALID_ACCOUNT_ID'])
  })

  test("takes another client's token for one that was never issued", async () => {
    const [tenant, other] = [await service.tenant(), await service.tenant()]
    const { access_token } = await link(tenant)
    const answer = await other.post('/accounts/get', { access_token })
    expect([answer.status, codeOf(answer)]).toEqual([400, 'INVALID_ACCESS_TOKEN'])
  })

  test('hides closed accounts, and rejects their ids', async () => {
    const tenant = await service.tenant()
    const { access_token } = await link(tenant)
    const { account_id } = await accountOf(tenant, access_token, 'savings')
    await tenant.control('sandboxAccountUpdate', { access_token, account_id, closed: true })
    expect(await accountsOf(tenant, access_token)).toHaveLength(5)
    const options = { account_ids: [account_id] }
    const rejected = await tenant.post('/accounts/get', { access_token, options })
    expect(codeOf(rejected)).toBe('INVALID_ACCOUNT_ID')
    await tenant.control('sandboxAccountUpdate', { access_token, account_id, closed: false })
    expect(await accountsOf(tenant, access_token)).toHaveLength(6)
  })

  test('rejects an Item without open accounts, as identity does', async () => {
    const tenant = await service.tenant()
    const { access_token } = await linkCustom(tenant, [{ type: 'depository', subtype: 'checking' }])
    const { account_id } = await accountOf(tenant, access_token, 'checking')
    await tenant.control('sandboxAccountUpdate', { access_token, account_id, closed: true })
    expect(codeOf(await tenant.post('/accounts/get', { access_token }))).toBe('NO_ACCOUNTS')
    expect(codeOf(await tenant.post('/identity/get', { access_token }))).toBe('NO_ACCOUNTS')
    expect(codeOf(await tenant.post('/liabilities/get', { access_token }))).toBe(
      'NO_LIABILITY_ACCOUNTS',
    )
  })

  test('tells when balances were read at the one institution that says so', async () => {
    const tenant = await service.tenant()
    const dating = await createBank(tenant, { institution_id: 'ins_128026' })
    const told = await link(tenant, { institution_id: dating })
    const untold = await link(tenant)
    const [at] = await accountsOf(tenant, told.access_token)
    const [elsewhere] = await accountsOf(tenant, untold.access_token)
    expect(at?.balances.last_updated_datetime).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    expect(elsewhere?.balances).not.toHaveProperty('last_updated_datetime')
  })

  test('still works on an Item that is unhealthy', async () => {
    const tenant = await service.tenant()
    const { access_token } = await link(tenant)
    await tenant.control('sandboxItemResetLogin', { access_token })
    expect(codeOf(await tenant.post('/accounts/get', { access_token }))).toBe(200)
  })

  test('shows a product as available or billed, and never as both', async () => {
    const tenant = await service.tenant()
    const { access_token } = await link(tenant, { initial_products: ['auth', 'balance'] })
    await tenant.api.identityGet({ access_token })
    await tenant.api.liabilitiesGet({ access_token })
    const { data } = await tenant.api.accountsGet({ access_token })
    expect(data?.item).toMatchObject({
      products: ['auth', 'balance', 'identity', 'liabilities'],
      billed_products: ['auth', 'identity', 'liabilities'],
      available_products: ['assets', 'transactions', 'transfer'],
    })
  })

  test('keeps both products when two are used for the first time at once', async () => {
    const tenant = await service.tenant()
    const { access_token } = await link(tenant)
    await Promise.all([
      tenant.api.identityGet({ access_token }),
      tenant.api.liabilitiesGet({ access_token }),
    ])
    const { data } = await tenant.api.accountsGet({ access_token })
    expect(data?.item.products).toEqual(['auth', 'identity', 'liabilities'])
  })
})

describe('addProduct', () => {
  test('goes by the Item as it is now, not as it was read', async () => {
    const tenant = await service.tenant()
    const { access_token, item_id } = await link(tenant)
    await inContext(service, tenant, async (ctx) => {
      const read = (await findItem(ctx, item_id)) as ItemRow
      await addProduct(ctx, read, 'identity')
      await addProduct(ctx, read, 'liabilities')
    })
    const { data } = await tenant.api.accountsGet({ access_token })
    expect(data?.item.products).toEqual(['auth', 'identity', 'liabilities'])
  })

  test('rejects an Item that was removed after it was read', async () => {
    const tenant = await service.tenant()
    const { access_token, item_id } = await link(tenant)
    const read = await inContext(service, tenant, (ctx) => findItem(ctx, item_id))
    await tenant.post('/item/remove', { access_token })
    const adding = inContext(service, tenant, (ctx) => addProduct(ctx, read as ItemRow, 'identity'))
    await expect(adding).rejects.toMatchObject({ key: 'ITEM_CONCURRENTLY_DELETED' })
  })
})

describe('itemRemove', () => {
  test('makes every operation answer that the Item is gone, also a second call', async () => {
    const tenant = await service.tenant()
    const { access_token } = await link(tenant, { initial_products: ['identity'] })
    const answer = await tenant.post('/item/remove', { access_token })
    expect([answer.status, Object.keys(answer.body)]).toEqual([200, ['request_id']])
    for (const path of [
      '/item/remove',
      '/accounts/get',
      '/identity/get',
      '/identity/refresh',
      '/liabilities/get',
      '/transactions/sync',
      '/transactions/refresh',
      '/sandbox/item/reset_login',
    ]) {
      expect([path, codeOf(await tenant.post(path, { access_token }))]).toEqual([path, removedCode])
    }
  })

  test('works on an unhealthy Item', async () => {
    const tenant = await service.tenant()
    const { access_token } = await link(tenant)
    await tenant.control('sandboxItemResetLogin', { access_token })
    expect(codeOf(await tenant.post('/item/remove', { access_token }))).toBe(200)
  })

  test.each([
    ['an e-mail address', 'closed for jane.doe@example.com today'],
    ['a phone number', 'call +1 415-555-0142 first'],
    ['a phone number with points', 'call 415.555.0142 first'],
    ['a phone number with brackets', 'call (415) 555-0142'],
    ['too many characters', 'a'.repeat(513)],
  ])('rejects a note with %s, and removes nothing', async (_, reason_note) => {
    const tenant = await service.tenant()
    const { access_token } = await link(tenant)
    const answer = await tenant.post('/item/remove', { access_token, reason_note })
    expect(codeOf(answer)).toBe('INVALID_FIELD')
    expect(codeOf(await tenant.post('/accounts/get', { access_token }))).toBe(200)
  })

  test.each([
    ['no reason', {}],
    ['null for both', { reason_code: null, reason_note: null }],
    ['a code and a note', { reason_code: 'FRAUD_OTHER', reason_note: 'Case 2026-0042, 3 of 5.' }],
    ['a note of 512 characters', { reason_code: 'OTHER', reason_note: 'a'.repeat(512) }],
  ])('takes %s', async (_, reason) => {
    const tenant = await service.tenant()
    const { access_token } = await link(tenant)
    expect(codeOf(await tenant.post('/item/remove', { access_token, ...reason }))).toBe(200)
  })

  test('rejects a reason code that is not known', async () => {
    const tenant = await service.tenant()
    const { access_token } = await link(tenant)
    const answer = await tenant.post('/item/remove', { access_token, reason_code: 'BORED' })
    expect(codeOf(answer)).toBe('INVALID_FIELD')
  })

  test("does not remove another client's Item", async () => {
    const [tenant, other] = [await service.tenant(), await service.tenant()]
    const { access_token } = await link(tenant)
    const answer = await other.post('/item/remove', { access_token })
    expect(codeOf(answer)).toBe('INVALID_ACCESS_TOKEN')
    expect(codeOf(await tenant.post('/accounts/get', { access_token }))).toBe(200)
  })

  test('lets one of two calls at once succeed', async () => {
    const tenant = await service.tenant()
    const { access_token } = await link(tenant)
    const calls = [1, 2].map(() => tenant.post('/item/remove', { access_token }))
    const codes = (await Promise.all(calls)).map(codeOf)
    expect(codes.sort()).toEqual([200, removedCode])
  })

  test('leaves no half of a page to a sync that runs meanwhile', async () => {
    const tenant = await service.tenant()
    const { access_token } = await link(tenant, { initial_products: ['transactions'] })
    const calls = [
      ...[1, 2, 3].map(() => tenant.post('/transactions/sync', { access_token })),
      tenant.post('/item/remove', { access_token }),
      ...[1, 2, 3].map(() => tenant.post('/transactions/sync', { access_token })),
    ]
    const codes = (await Promise.all(calls)).map(codeOf)
    // Each came before the removal or after it.
    expect(new Set([...codes, removedCode])).toEqual(new Set([200, removedCode]))
    expect(codeOf(await tenant.post('/transactions/sync', { access_token }))).toBe(removedCode)
  })

  test('stops the webhooks of the Item, those that wait for a retry included', async () => {
    const tenant = await service.tenant()
    const { access_token } = await link(tenant, {
      initial_products: ['transactions'],
      options: { webhook },
    })
    await tenant.control('sandboxClockAdvance', { seconds: 1 })
    const before = await tenant.control('sandboxWebhookList', {})
    expect(before.webhooks.map(({ status }) => status)).toContain('pending')
    await tenant.post('/item/remove', { access_token })
    await tenant.control('sandboxClockAdvance', { seconds: 3 * 86_400 })
    const after = await tenant.control('sandboxWebhookList', {})
    expect(after.webhooks.map(({ webhook_id }) => webhook_id)).toEqual(
      before.webhooks.map(({ webhook_id }) => webhook_id),
    )
    expect(new Set(after.webhooks.map(({ status }) => status))).toEqual(new Set(['failed']))
    expect(after.webhooks.map(({ attempts }) => attempts.length)).toEqual(
      before.webhooks.map(({ attempts }) => attempts.length),
    )
  })

  test('keeps the reports that were made of the Item readable', async () => {
    const tenant = await service.tenant()
    const { access_token, item_id } = await link(tenant, { initial_products: ['assets'] })
    const { data } = await tenant.api.assetReportCreate({
      access_tokens: [access_token],
      days_requested: 30,
    })
    await tenant.control('sandboxClockAdvance', { seconds: 1 })
    await tenant.post('/item/remove', { access_token })
    const token = data?.asset_report_token as string
    const read = await tenant.api.assetReportGet({ asset_report_token: token })
    expect(read.data?.report.items.map((item) => item.item_id)).toEqual([item_id])
  })

  test('ends what was planned for the Item', async () => {
    const tenant = await service.tenant()
    const { access_token } = await link(tenant, {
      initial_products: ['transactions'],
      options: { webhook },
    })
    await tenant.post('/item/remove', { access_token })
    await tenant.control('sandboxClockAdvance', { seconds: 10 * 86_400 })
    expect(await webhooksOf(tenant, 'DEFAULT_UPDATE')).toEqual([])
  })
})
