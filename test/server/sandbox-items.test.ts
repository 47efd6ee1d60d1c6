import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  accountOf,
  accountsOf,
  codeOf,
  createBank,
  link,
  savings,
  supported,
  transactionsOf,
  webhooksOf,
} from '../support/items-fixtures.ts'
import { type Body, startService, type Tenant, type TestService } from '../support/service.ts'

let service: TestService

beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const webhook = 'http://127.0.0.1:9/hooks'
const day = 86_400
const itemOf = async (tenant: Tenant, access_token: string) =>
  (await tenant.api.accountsGet({ access_token })).data?.item

describe('sandboxPublicTokenCreate', () => {
  test('links an Item with two years of transactions, and tells when they are ready', async () => {
    const tenant = await service.tenant()
    const { access_token } = await link(tenant, {
      initial_products: ['transactions', 'identity'],
      options: { webhook },
    })
    const transactions = await transactionsOf(tenant, access_token)
    const dates = transactions.map(({ date }) => date).sort()
    const years = Date.parse(dates.at(-1) ?? '') - Date.parse(dates[0] ?? '')
    expect(years / (1000 * day)).toBeGreaterThan(720)
    expect(await webhooksOf(tenant, 'INITIAL_UPDATE')).toHaveLength(1)
    expect(await webhooksOf(tenant, 'HISTORICAL_UPDATE')).toHaveLength(1)
    expect(await itemOf(tenant, access_token)).toMatchObject({
      products: ['identity', 'transactions'],
      billed_products: ['identity', 'transactions'],
      auth_method: null,
    })
  })

  test('gives every Item ids and accounts of its own', async () => {
    const tenant = await service.tenant()
    const institution_id = await createBank(tenant)
    const [one, two] = [
      await link(tenant, { institution_id }),
      await link(tenant, { institution_id }),
    ]
    const accounts = [
      ...(await accountsOf(tenant, one.access_token)),
      ...(await accountsOf(tenant, two.access_token)),
    ]
    expect(new Set(accounts.map(({ account_id }) => account_id)).size).toBe(12)
    expect(one.item_id).not.toBe(two.item_id)
  })

  test('sets the Item up with the days that are asked for', async () => {
    const tenant = await service.tenant()
    const { access_token } = await link(tenant, {
      initial_products: ['transactions'],
      options: { transactions: { days_requested: 60 } },
    })
    const { now } = await tenant.control('sandboxClockGet', {})
    const first = Date.parse(now.slice(0, 10)) - 59 * 1000 * day
    const transactions = await transactionsOf(tenant, access_token)
    const earliest = Math.min(...transactions.map(({ date }) => Date.parse(date)))
    expect(transactions.length).toBeGreaterThan(50)
    expect(earliest).toBeGreaterThanOrEqual(first)
  })

  test('has transactions between the days that are given, and adds none later', async () => {
    const tenant = await service.tenant()
    const { now } = await tenant.control('sandboxClockGet', {})
    const daysAgo = (days: number) =>
      new Date(Date.parse(now) - days * 1000 * day).toISOString().slice(0, 10)
    const [start_date, end_date] = [daysAgo(90), daysAgo(10)]
    const { access_token } = await link(tenant, {
      initial_products: ['transactions'],
      options: { transactions: { start_date, end_date } },
    })
    await tenant.control('sandboxClockAdvance', { seconds: 5 * day })
    const dates = (await transactionsOf(tenant, access_token)).map(({ date }) => date).sort()
    expect(dates.length).toBeGreaterThan(50)
    expect(dates[0] && dates[0] >= start_date).toBe(true)
    expect(dates.at(-1) && String(dates.at(-1)) <= end_date).toBe(true)
  })

  test('lets the data of a generated Item go on with the clock', async () => {
    const tenant = await service.tenant()
    const { access_token } = await link(tenant, { initial_products: ['transactions'] })
    const before = await transactionsOf(tenant, access_token)
    await tenant.control('sandboxClockAdvance', { seconds: 10 * day })
    const after = await transactionsOf(tenant, access_token)
    expect(after.length).toBeGreaterThan(before.length)
  })

  test.each([
    ['days in the wrong order', { start_date: '2026-02-02', end_date: '2026-02-01' }],
    ['too many days', { days_requested: 731 }],
    ['a day that does not exist', { start_date: '2026-02-30' }],
  ])('rejects %s', async (_, transactions) => {
    const tenant = await service.tenant()
    const answer = await tenant.post('/sandbox/public_token/create', {
      institution_id: await createBank(tenant),
      initial_products: ['transactions'],
      options: { transactions },
    })
    expect(codeOf(answer)).toBe('INVALID_FIELD')
  })

  test('rejects an institution that is not known, also one of another client', async () => {
    const [tenant, other] = [await service.tenant(), await service.tenant()]
    const foreign = await createBank(other)
    for (const institution_id of ['ins_0', foreign]) {
      const body = { institution_id, initial_products: ['auth'] }
      const answer = await tenant.post('/sandbox/public_token/create', body)
      expect([answer.status, codeOf(answer)]).toEqual([400, 'INVALID_INSTITUTION'])
    }
  })

  test('rejects a product that the institution does not support', async () => {
    const tenant = await service.tenant()
    const institution_id = await createBank(tenant, { products: ['identity'] })
    const body = { institution_id, initial_products: ['identity', 'auth'] }
    const answer = await tenant.post('/sandbox/public_token/create', body)
    expect(codeOf(answer)).toBe('INVALID_FIELD')
    expect(answer.body['error_message']).toContain('`initial_products`')
  })

  test('rejects a user token that is not known', async () => {
    const tenant = await service.tenant()
    const answer = await tenant.post('/sandbox/public_token/create', {
      institution_id: await createBank(tenant),
      initial_products: ['auth'],
      user_token: 'user-sandbox-00000000-0000-4000-8000-000000000000',
    })
    expect(codeOf(answer)).toBe('INVALID_USER_TOKEN')
  })

  test('ignores fields that it does not know, and takes null as absent', async () => {
    const tenant = await service.tenant()
    const answer = await tenant.post('/sandbox/public_token/create', {
      institution_id: await createBank(tenant),
      initial_products: ['auth'],
      user_token: null,
      auth_method: null,
      options: { webhook: null, transactions: null, override_username: null, more: 1 },
      country_code: 'US',
    })
    expect(codeOf(answer)).toBe(200)
  })

  test.each([
    [{ instant_match: true }, 'INSTANT_MATCH', undefined],
    [
      { automated_micro_deposits: true },
      'AUTOMATED_MICRODEPOSITS',
      'pending_automatic_verification',
    ],
  ])('takes auth from an institution with %j', async (auth_methods, method, status) => {
    const tenant = await service.tenant()
    const institution_id = await createBank(tenant, { products: ['identity'], auth_methods })
    const { access_token } = await link(tenant, { institution_id })
    expect((await itemOf(tenant, access_token))?.auth_method).toBe(method)
    const { verification_status } = await accountOf(tenant, access_token, 'checking')
    expect(verification_status).toBe(status)
  })

  test('makes an Item without an institution, which waits for its micro-deposits', async () => {
    const tenant = await service.tenant()
    const { access_token } = await link(tenant, { institution_id: null })
    expect(await itemOf(tenant, access_token)).toMatchObject({
      institution_id: null,
      institution_name: null,
      auth_method: 'SAME_DAY_MICRODEPOSITS',
      products: ['auth'],
    })
    expect(await accountsOf(tenant, access_token)).toMatchObject([
      {
        subtype: 'checking',
        verification_status: 'pending_manual_verification',
        verification_name: expect.any(String),
      },
    ])
    for (const path of ['/identity/get', '/liabilities/get', '/transactions/sync']) {
      expect(codeOf(await tenant.post(path, { access_token }))).toBe('PRODUCTS_NOT_SUPPORTED')
    }
  })

  test('shows evidence for an Item that was rated by a database', async () => {
    const tenant = await service.tenant()
    const auth_method = 'DATABASE_INSIGHTS'
    const { access_token } = await link(tenant, { institution_id: null, auth_method })
    expect(await accountOf(tenant, access_token, 'checking')).toMatchObject({
      verification_status: 'database_insights_pass',
      verification_insights: { account_number_format: 'valid' },
    })
  })
})

describe('sandboxItemResetLogin', () => {
  test('makes what needs the login fail, until the Item is healthy again', async () => {
    const tenant = await service.tenant()
    const initial_products = supported
    const { access_token } = await link(tenant, { initial_products })
    await tenant.control('sandboxClockAdvance', { seconds: 1 })
    expect(await tenant.control('sandboxItemResetLogin', { access_token })).toMatchObject({
      reset_login: true,
    })
    const paths = [
      '/identity/get',
      '/identity/refresh',
      '/liabilities/get',
      '/transactions/sync',
      '/transactions/refresh',
    ]
    for (const path of paths) {
      expect(codeOf(await tenant.post(path, { access_token }))).toBe('ITEM_LOGIN_REQUIRED')
    }
    await tenant.control('sandboxItemSetHealth', { access_token, error_code: null })
    for (const path of paths) expect(codeOf(await tenant.post(path, { access_token }))).toBe(200)
  })

  test('says at an OAuth institution why the login ended', async () => {
    const tenant = await service.tenant()
    const institution_id = await createBank(tenant, { oauth: true })
    const { access_token } = await link(tenant, { institution_id })
    await tenant.control('sandboxItemResetLogin', { access_token })
    const { body } = await tenant.post('/identity/get', { access_token })
    expect(body).toMatchObject({
      error_type: 'ITEM_ERROR',
      error_code: 'ITEM_LOGIN_REQUIRED',
      error_code_reason: 'OAUTH_INVALID_TOKEN',
    })
  })
})

describe('sandboxItemSetHealth', () => {
  test('tells the reason that was given, and none without', async () => {
    const tenant = await service.tenant()
    const { access_token } = await link(tenant)
    const error_code = 'ITEM_LOGIN_REQUIRED'
    const error_code_reason = 'OAUTH_USER_REVOKED'
    await tenant.control('sandboxItemSetHealth', { access_token, error_code, error_code_reason })
    const { body } = await tenant.post('/identity/get', { access_token })
    expect(body['error_code_reason']).toBe(error_code_reason)
    await tenant.control('sandboxItemSetHealth', { access_token, error_code })
    const later = await tenant.post('/identity/get', { access_token })
    expect(later.body).not.toHaveProperty('error_code_reason')
  })

  test('lets later webhooks about the Item carry the error', async () => {
    const tenant = await service.tenant()
    const { access_token } = await link(tenant, { options: { webhook } })
    await tenant.control('sandboxItemSetHealth', { access_token, error_code: 'ITEM_LOCKED' })
    await tenant.control('sandboxAccountCreate', { access_token, ...savings })
    const [told] = await webhooksOf(tenant, 'NEW_ACCOUNTS_AVAILABLE')
    expect(told?.['error']).toMatchObject({ error_code: 'ITEM_LOCKED', status: 400 })
    expect(told?.['error']).not.toHaveProperty('request_id')
  })

  const told = async (tenant: Tenant) => {
    await tenant.control('sandboxClockAdvance', { seconds: 0 })
    const { webhooks } = await tenant.control('sandboxWebhookList', {})
    return webhooks.reverse().map(({ body }) => {
      const { webhook_code, error } = JSON.parse(body) as Body & { error?: Body }
      return [webhook_code, error?.['error_code'] ?? null]
    })
  }

  test('sends a webhook when the error is another one, and when it is gone', async () => {
    const tenant = await service.tenant()
    const { access_token } = await link(tenant, { options: { webhook } })
    const set = (error_code: 'ITEM_LOCKED' | 'USER_PERMISSION_REVOKED' | null) =>
      tenant.control('sandboxItemSetHealth', { access_token, error_code })
    await set(null)
    await set('ITEM_LOCKED')
    await set('ITEM_LOCKED')
    await tenant.control('sandboxItemResetLogin', { access_token })
    await set(null)
    await set('USER_PERMISSION_REVOKED')
    expect(await told(tenant)).toEqual([
      ['ERROR', 'ITEM_LOCKED'],
      ['ERROR', 'ITEM_LOGIN_REQUIRED'],
      ['LOGIN_REPAIRED', null],
      ['USER_PERMISSION_REVOKED', 'USER_PERMISSION_REVOKED'],
    ])
  })

  test('tells of no repaired login when an institution answers again', async () => {
    const tenant = await service.tenant()
    const { access_token } = await link(tenant, { options: { webhook } })
    const error_code = 'INSTITUTION_DOWN'
    await tenant.control('sandboxItemSetHealth', { access_token, error_code })
    await tenant.control('sandboxItemSetHealth', { access_token, error_code: null })
    expect(await told(tenant)).toEqual([['ERROR', error_code]])
  })

  test('rejects a reason without an error', async () => {
    const tenant = await service.tenant()
    const { access_token } = await link(tenant)
    const body = { access_token, error_code: null, error_code_reason: 'OAUTH_USER_REVOKED' }
    const answer = await tenant.post('/sandbox/item/set_health', body)
    expect(codeOf(answer)).toBe('INVALID_FIELD')
  })
})
