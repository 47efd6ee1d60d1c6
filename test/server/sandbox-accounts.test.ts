import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  accountOf,
  accountsOf,
  codeOf,
  link,
  linkCustom,
  savings,
  transactionsOf,
  webhooksOf,
} from '../support/items-fixtures.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService

beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const webhook = 'http://127.0.0.1:9/hooks'
const day = 86_400

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

  test('rejects an account that was never verified, and one of another Item', async () => {
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

  test('counts the seven days again when the status is set again', async () => {
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
  test('sets a status on a debitable account, without an event or a webhook', async () => {
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

  test.each([
    ['depository', 'checking', 200],
    ['depository', 'savings', 200],
    ['depository', 'cash management', 200],
    ['depository', 'cd', 'INVALID_ACCOUNT_ID'],
    ['depository', 'money market', 'INVALID_ACCOUNT_ID'],
    ['credit', 'credit card', 'INVALID_ACCOUNT_ID'],
    ['loan', 'student', 'INVALID_ACCOUNT_ID'],
    ['investment', 'brokerage', 'INVALID_ACCOUNT_ID'],
  ] as const)(
    'on an account of type %s and subtype %s answers %s',
    async (type, subtype, outcome) => {
      const tenant = await service.tenant()
      const { access_token } = await link(tenant)
      const account = { access_token, type, subtype, name: 'Another' } as const
      const { account_id } = await tenant.control('sandboxAccountCreate', account)
      const body = { access_token, account_id, verification_status: 'manually_verified' }
      const answer = await tenant.post('/sandbox/item/set_verification_status', body)
      expect(codeOf(answer)).toBe(outcome)
      const { data } = await tenant.api.accountsGet({ access_token })
      const shown = data?.accounts.find((one) => one.account_id === account_id)
      expect(shown?.verification_status).toBe(outcome === 200 ? 'manually_verified' : undefined)
    },
  )

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

  test('rejects a subtype that does not belong to the type', async () => {
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

  test('changes the balances that are given, and no other', async () => {
    const tenant = await service.tenant()
    const { access_token } = await link(tenant)
    const { account_id } = await accountOf(tenant, access_token, 'credit card')
    const update = async (balances: object) => {
      const body = { access_token, account_id, balances }
      const { status } = await tenant.post('/sandbox/account/update', body)
      expect(status).toBe(200)
      return (await accountOf(tenant, access_token, 'credit card')).balances
    }
    const before = (await accountOf(tenant, access_token, 'credit card')).balances
    const changed = await update({ limit: 7000 })
    expect(changed).toEqual({ ...before, limit: 7000 })
    expect(await update({ available: 12.5 })).toEqual({ ...changed, available: 12.5 })
    expect(await update({ limit: null })).toMatchObject({ available: 12.5, limit: null })
    const dated = { last_updated_datetime: '2026-03-01T00:00:00Z' }
    // Only some institutions say how old a balance is; for others the time is dropped.
    expect(await update(dated)).not.toHaveProperty('last_updated_datetime')
  })

  test.each([
    ['checking', { is_overdue: true }],
    ['mortgage', { aprs: [] }],
    ['credit card', { account_number: '1' }],
  ])('rejects terms that a %s account does not have', async (subtype, liability) => {
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
  test('rejects an account of another Item, and owners without a name', async () => {
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
