import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  accountOf,
  accountsOf,
  codeOf,
  createBank,
  link,
  linkCustom,
  supported,
  webhooksOf,
} from '../support/items-fixtures.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'

let service: TestService

beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const webhook = 'http://127.0.0.1:9/hooks'
const day = 86_400
const itemOf = async (tenant: Tenant, access_token: string) =>
  (await tenant.api.accountsGet({ access_token })).data?.item

/** All transactions that an Item shows, once they are ready. */
async function transactionsOf(tenant: Tenant, access_token: string) {
  await tenant.control('sandboxClockAdvance', { seconds: 1 })
  const added = []
  let cursor = ''
  for (;;) {
    const { data } = await tenant.api.transactionsSync({ access_token, cursor, count: 500 })
    added.push(...(data?.added ?? []))
    cursor = data?.next_cursor ?? ''
    if (!data?.has_more) return added
  }
}

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
  ])('refuses %s', async (_, transactions) => {
    const tenant = await service.tenant()
    const answer = await tenant.post('/sandbox/public_token/create', {
      institution_id: await createBank(tenant),
      initial_products: ['transactions'],
      options: { transactions },
    })
    expect(codeOf(answer)).toBe('INVALID_FIELD')
  })

  test('refuses an institution that is not known, also one of another client', async () => {
    const [tenant, other] = [await service.tenant(), await service.tenant()]
    const foreign = await createBank(other)
    for (const institution_id of ['ins_0', foreign]) {
      const body = { institution_id, initial_products: ['auth'] }
      const answer = await tenant.post('/sandbox/public_token/create', body)
      expect([answer.status, codeOf(answer)]).toEqual([400, 'INVALID_INSTITUTION'])
    }
  })

  test('refuses a product that the institution does not support', async () => {
    const tenant = await service.tenant()
    const institution_id = await createBank(tenant, { products: ['identity'] })
    const body = { institution_id, initial_products: ['identity', 'auth'] }
    const answer = await tenant.post('/sandbox/public_token/create', body)
    expect(codeOf(answer)).toBe('INVALID_FIELD')
    expect(answer.body['error_message']).toContain('`initial_products`')
  })

  test('refuses a user token that is not known', async () => {
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

describe('itemPublicTokenExchange', () => {
  test('works once, even when it is called twice at once', async () => {
    const tenant = await service.tenant()
    const { public_token } = await tenant.control('sandboxPublicTokenCreate', {
      institution_id: await createBank(tenant),
      initial_products: ['auth'],
    })
    const calls = [1, 2].map(() => tenant.post('/item/public_token/exchange', { public_token }))
    const codes = (await Promise.all(calls)).map(codeOf)
    expect(codes.sort()).toEqual([200, 'INVALID_PUBLIC_TOKEN'])
    const again = await tenant.post('/item/public_token/exchange', { public_token })
    expect(codeOf(again)).toBe('INVALID_PUBLIC_TOKEN')
  })

  test("refuses another client's token, which stays usable", async () => {
    const [tenant, other] = [await service.tenant(), await service.tenant()]
    const { public_token } = await tenant.control('sandboxPublicTokenCreate', {
      institution_id: await createBank(tenant),
      initial_products: ['auth'],
    })
    expect(public_token).toMatch(/^public-sandbox-[0-9a-f-]{36}$/)
    const foreign = await other.post('/item/public_token/exchange', { public_token })
    expect(codeOf(foreign)).toBe('INVALID_PUBLIC_TOKEN')
    const { access_token } = await tenant.control('itemPublicTokenExchange', { public_token })
    expect(access_token).toMatch(/^access-sandbox-[0-9a-f-]{36}$/)
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

  test('refuses a reason without an error', async () => {
    const tenant = await service.tenant()
    const { access_token } = await link(tenant)
    const body = { access_token, error_code: null, error_code_reason: 'OAUTH_USER_REVOKED' }
    const answer = await tenant.post('/sandbox/item/set_health', body)
    expect(codeOf(answer)).toBe('INVALID_FIELD')
  })
})

const savings = { type: 'depository', subtype: 'savings', name: 'Holiday Savings' } as const

describe('sandboxItemVerifyMicrodeposits', () => {
  async function waiting(auth_method: 'AUTOMATED_MICRODEPOSITS' | 'SAME_DAY_MICRODEPOSITS') {
    const tenant = await service.tenant()
    const { access_token } = await link(tenant, { institution_id: null, auth_method })
    const { account_id } = await accountOf(tenant, access_token, 'checking')
    const verify = (success: boolean) =>
      tenant.post('/sandbox/item/verify_microdeposits', { access_token, account_id, success })
    return { tenant, access_token, account_id, verify }
  }

  test.each([
    [true, 'automatically_verified', 'posted'],
    [false, 'verification_expired', 'failed'],
  ])('ends an automatic verification: %s', async (success, status, event_type) => {
    const { tenant, account_id, verify } = await waiting('AUTOMATED_MICRODEPOSITS')
    expect((await verify(success)).body['verification_status']).toBe(status)
    const { data } = await tenant.api.bankTransferEventSync({ after_id: 0 })
    expect(data?.bank_transfer_events).toMatchObject([{ account_id, event_type }])
  })

  test('gives up a manual verification at the third wrong attempt', async () => {
    const { tenant, access_token, verify } = await waiting('SAME_DAY_MICRODEPOSITS')
    const statuses = []
    for (let attempt = 0; attempt < 3; attempt += 1) {
      statuses.push((await verify(false)).body['verification_status'])
    }
    expect(statuses).toEqual([
      'pending_manual_verification',
      'pending_manual_verification',
      'verification_failed',
    ])
    expect(codeOf(await verify(true))).toBe('INVALID_FIELD')
    expect((await accountOf(tenant, access_token, 'checking')).verification_status).toBe(
      'verification_failed',
    )
    const { data } = await tenant.api.bankTransferEventSync({ after_id: 0 })
    expect(data?.bank_transfer_events.map(({ event_id }) => event_id)).toEqual([1, 2, 3])
  })

  test('verifies by hand after two wrong attempts', async () => {
    const { verify } = await waiting('SAME_DAY_MICRODEPOSITS')
    await verify(false)
    await verify(false)
    expect((await verify(true)).body['verification_status']).toBe('manually_verified')
  })

  test('refuses an account that was never verified, and one of another Item', async () => {
    const tenant = await service.tenant()
    const { access_token } = await link(tenant)
    const { account_id } = await accountOf(tenant, access_token, 'checking')
    const path = '/sandbox/item/verify_microdeposits'
    const own = await tenant.post(path, { access_token, account_id, success: true })
    expect(codeOf(own)).toBe('INVALID_FIELD')
    const { access_token: other } = await link(tenant)
    const foreign = await tenant.post(path, { access_token: other, account_id, success: true })
    expect(codeOf(foreign)).toBe('INVALID_ACCOUNT_ID')
  })

  test('expires an automatic verification after seven days, a manual one never', async () => {
    const { tenant, access_token } = await waiting('AUTOMATED_MICRODEPOSITS')
    const { access_token: manual } = await link(tenant, { institution_id: null })
    const statusOf = async (token: string) =>
      (await accountOf(tenant, token, 'checking')).verification_status
    await tenant.control('sandboxClockAdvance', { seconds: 7 * day - 60 })
    expect(await statusOf(access_token)).toBe('pending_automatic_verification')
    await tenant.control('sandboxClockAdvance', { seconds: 120 })
    expect(await statusOf(access_token)).toBe('verification_expired')
    expect(await statusOf(manual)).toBe('pending_manual_verification')
  })

  test('counts the seven days anew when the status is set anew', async () => {
    const { tenant, access_token, account_id } = await waiting('AUTOMATED_MICRODEPOSITS')
    await tenant.control('sandboxClockAdvance', { seconds: 4 * day })
    const verification_status = 'pending_automatic_verification'
    const body = { access_token, account_id, verification_status } as const
    await tenant.control('sandboxItemSetVerificationStatus', body)
    await tenant.control('sandboxClockAdvance', { seconds: 4 * day })
    const found = await accountOf(tenant, access_token, 'checking')
    expect(found.verification_status).toBe(verification_status)
    await tenant.control('sandboxClockAdvance', { seconds: 4 * day })
    const later = await accountOf(tenant, access_token, 'checking')
    expect(later.verification_status).toBe('verification_expired')
  })
})

describe('sandboxItemSetVerificationStatus', () => {
  test('sets a status on any account, without an event or a webhook', async () => {
    const tenant = await service.tenant()
    const { access_token } = await link(tenant, { options: { webhook } })
    const { account_id } = await accountOf(tenant, access_token, 'savings')
    for (const verification_status of ['manually_verified', 'unsent'] as const) {
      const body = { access_token, account_id, verification_status }
      await tenant.control('sandboxItemSetVerificationStatus', body)
      const account = await accountOf(tenant, access_token, 'savings')
      expect(account.verification_status).toBe(verification_status)
    }
    const { data } = await tenant.api.bankTransferEventSync({ after_id: 0 })
    expect(data?.bank_transfer_events).toEqual([])
    expect((await tenant.control('sandboxWebhookList', {})).webhooks).toEqual([])
  })

  test('shows the evidence that was given, or some that fits, where a status rests on it', async () => {
    const tenant = await service.tenant()
    const { access_token } = await link(tenant)
    const { account_id } = await accountOf(tenant, access_token, 'savings')
    const set = async (verification_status: string, verification_insights?: unknown) => {
      const body = { access_token, account_id, verification_status, verification_insights }
      await tenant.post('/sandbox/item/set_verification_status', body)
      return (await accountOf(tenant, access_token, 'savings')).verification_insights
    }
    const network_status = { has_numbers_match: false, is_numbers_match_verified: false }
    const given = { network_status, account_number_format: 'unknown', name_match_score: null }
    expect(await set('database_insights_fail', given)).toEqual({
      network_status,
      account_number_format: 'unknown',
    })
    expect(await set('database_insights_fail')).toMatchObject({ account_number_format: 'invalid' })
    expect(await set('database_matched')).toBeUndefined()
  })
})

describe('sandboxAccountCreate', () => {
  test('opens an account that is there at once, and tells that there is one', async () => {
    const tenant = await service.tenant()
    const { access_token, item_id } = await link(tenant, { options: { webhook } })
    const { account_id } = await tenant.control('sandboxAccountCreate', {
      access_token,
      ...savings,
      mask: null,
      balances: { available: 10.5, current: 12.25 },
    })
    expect((await accountsOf(tenant, access_token)).at(-1)).toEqual({
      account_id,
      ...savings,
      official_name: null,
      mask: null,
      balances: {
        available: 10.5,
        current: 12.25,
        limit: null,
        iso_currency_code: 'USD',
        unofficial_currency_code: null,
      },
    })
    expect(await webhooksOf(tenant, 'NEW_ACCOUNTS_AVAILABLE')).toEqual([
      {
        webhook_type: 'ITEM',
        webhook_code: 'NEW_ACCOUNTS_AVAILABLE',
        item_id,
        error: null,
        environment: 'sandbox',
      },
    ])
  })

  test.each([
    ['credit', 'credit card', 'credit'],
    ['loan', 'student', 'student'],
    ['loan', 'mortgage', 'mortgage'],
  ] as const)('gives a %s account of subtype %s an owner and its terms', async (...kind) => {
    const [type, subtype, liability] = kind
    const tenant = await service.tenant()
    const { access_token } = await linkCustom(tenant, [{ type: 'depository', subtype: 'cd' }])
    const body = { access_token, type, subtype, name: 'New' }
    const { account_id } = await tenant.control('sandboxAccountCreate', body)
    const { data } = await tenant.api.liabilitiesGet({ access_token })
    expect(data?.liabilities[liability]?.map((entry) => entry.account_id)).toEqual([account_id])
    const identity = await tenant.api.identityGet({ access_token })
    expect(identity.data?.accounts.at(-1)?.owners[0]?.names).toHaveLength(1)
  })

  test('refuses a subtype that does not belong to the type', async () => {
    const tenant = await service.tenant()
    const { access_token } = await link(tenant)
    const body = { access_token, type: 'loan', subtype: 'checking', name: 'New' }
    expect(codeOf(await tenant.post('/sandbox/account/create', body))).toBe('INVALID_FIELD')
  })
})

describe('sandboxAccountUpdate', () => {
  test('gives a renamed account a new id, which its transactions and terms follow', async () => {
    const tenant = await service.tenant()
    const { access_token } = await link(tenant, { initial_products: ['transactions'] })
    const { account_id: old, ...before } = await accountOf(tenant, access_token, 'credit card')
    const transactions = await transactionsOf(tenant, access_token)
    const count = transactions.filter(({ account_id }) => account_id === old).length
    const body = { access_token, account_id: old, name: 'Renamed' }
    const { account_id } = await tenant.control('sandboxAccountUpdate', body)
    expect(account_id).not.toBe(old)
    expect(await accountOf(tenant, access_token, 'credit card')).toEqual({
      ...before,
      account_id,
      name: 'Renamed',
    })
    const renamed = (await transactionsOf(tenant, access_token)).map((one) => one.account_id)
    expect(renamed.filter((id) => id === account_id)).toHaveLength(count)
    expect(renamed).not.toContain(old)
    const { data } = await tenant.api.liabilitiesGet({ access_token })
    expect(data?.liabilities.credit).toMatchObject([{ account_id }])
    const again = await tenant.post('/sandbox/account/update', body)
    expect(codeOf(again)).toBe('INVALID_ACCOUNT_ID')
  })

  test('keeps the id when the name stays', async () => {
    const tenant = await service.tenant()
    const { access_token } = await link(tenant)
    const { account_id, name } = await accountOf(tenant, access_token, 'savings')
    const body = { access_token, account_id, name }
    expect((await tenant.control('sandboxAccountUpdate', body)).account_id).toBe(account_id)
  })

  test('sets what is given, takes away what is null, and leaves the rest', async () => {
    const tenant = await service.tenant()
    const { access_token } = await link(tenant)
    const before = await accountOf(tenant, access_token, 'savings')
    const { account_id } = before
    const update = async (body: object) => {
      await tenant.post('/sandbox/account/update', { access_token, account_id, ...body })
      return accountOf(tenant, access_token, 'savings')
    }
    const persistent_account_id = '8cfb8beb89b774ee43b090625f0d61d0814322b43bff984eaf60386e'
    const changed = await update({
      persistent_account_id,
      mask: null,
      holder_category: 'business',
      verification_status: 'unsent',
      balances: { current: 0.1, available: null },
    })
    expect(changed).toEqual({
      ...before,
      persistent_account_id,
      mask: null,
      holder_category: 'business',
      verification_status: 'unsent',
      balances: { ...before.balances, current: 0.1, available: null },
    })
    const after = await update({ persistent_account_id: null, verification_status: null })
    expect(after).not.toHaveProperty('persistent_account_id')
    expect(after).not.toHaveProperty('verification_status')
  })

  test('changes the currency by either of its codes, and leaves one of them', async () => {
    const tenant = await service.tenant()
    const { access_token } = await link(tenant)
    const { account_id } = await accountOf(tenant, access_token, 'savings')
    const update = (balances: object) =>
      tenant.post('/sandbox/account/update', { access_token, account_id, balances })
    const codes = async () => {
      const { balances } = await accountOf(tenant, access_token, 'savings')
      return [balances.iso_currency_code, balances.unofficial_currency_code]
    }
    await update({ unofficial_currency_code: 'BTC' })
    expect(await codes()).toEqual([null, 'BTC'])
    expect(codeOf(await update({ unofficial_currency_code: null }))).toBe('INVALID_FIELD')
    await update({ iso_currency_code: 'EUR' })
    expect(await codes()).toEqual(['EUR', null])
  })

  test.each([
    ['checking', { is_overdue: true }],
    ['mortgage', { aprs: [] }],
    ['credit card', { account_number: '1' }],
  ])('refuses terms that a %s account does not have', async (subtype, liability) => {
    const tenant = await service.tenant()
    const { access_token } = await link(tenant)
    const { account_id } = await accountOf(tenant, access_token, subtype)
    const body = { access_token, account_id, liability }
    const answer = await tenant.post('/sandbox/account/update', body)
    expect(codeOf(answer)).toBe('INVALID_FIELD')
    expect(answer.body['error_message']).toContain('`liability')
  })
})

describe('sandboxIdentityUpdate', () => {
  test('refuses an account of another Item, and owners without a name', async () => {
    const tenant = await service.tenant()
    const [one, two] = [await link(tenant), await link(tenant)]
    const { account_id } = await accountOf(tenant, two.access_token, 'checking')
    const post = (access_token: string, names: string[]) =>
      tenant.post('/sandbox/identity/update', { access_token, account_id, owners: [{ names }] })
    expect(codeOf(await post(one.access_token, ['Ilse']))).toBe('INVALID_ACCOUNT_ID')
    expect(codeOf(await post(two.access_token, []))).toBe('INVALID_FIELD')
    expect(codeOf(await post(two.access_token, ['Ilse']))).toBe(200)
  })
})
