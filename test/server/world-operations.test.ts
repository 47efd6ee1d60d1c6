import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OperationId, operations } from '#contract/operations.ts'
import { type Body, pathOf, startWorld, type Tenant, type TestService } from '../support/service.ts'
import { exampleRequest } from '../support/tour.ts'

const ready = 'access-sandbox-00000000-0000-4000-8000-000000000001'
const checking = 'TSqdADmriVPByJEsmQ98pm2BwKC8okk2LbKVd'

type World = TestService & { client: Tenant; partner: Tenant }

let world: World
const known: Body = {}

/** Asks an operation of the first client, whose answer is checked exactly, and must succeed. */
async function ask(id: OperationId, body: Body): Promise<Body> {
  const answer = await world.client.post(pathOf(id), body)
  expect(answer.body, id).not.toHaveProperty('error_code')
  expect(answer.status, id).toBe(200)
  return answer.body
}

beforeAll(async () => {
  world = await startWorld()
  const token = await ask('oauthToken', { grant_type: 'client_credentials' })
  const report = await ask('assetReportCreate', { access_tokens: [ready], days_requested: 61 })
  await world.client.control('sandboxClockAdvance', { seconds: 5 })
  const { key_id } = await world.client.control('sandboxWebhookRotateKey', {})
  Object.assign(known, {
    key_id,
    token: token['access_token'],
    report: report['asset_report_token'],
  })
})
afterAll(() => world.close())

/** Requests for things of the default seed data, where the contract's example must not be sent. */
const requests: Partial<Record<OperationId, () => Body>> = {
  accountsGet: () => ({ access_token: ready }),
  assetReportCreate: () => ({ access_tokens: [ready], days_requested: 10 }),
  assetReportFilter: () => ({
    asset_report_token: known['report'],
    account_ids_to_exclude: [checking],
  }),
  assetReportGet: () => ({ asset_report_token: known['report'] }),
  bankTransferEventSync: () => ({ after_id: 0 }),
  dashboardUserList: () => ({}),
  identityGet: () => ({ access_token: ready }),
  identityRefresh: () => ({ access_token: ready }),
  identityVerificationCreate: () => ({
    is_shareable: true,
    template_id: 'idvtmp_00000000000all',
    gave_consent: true,
    client_user_id: 'applicant-new',
  }),
  identityVerificationList: () => ({
    template_id: 'idvtmp_00000000000all',
    client_user_id: 'borrower-7f3a',
  }),
  institutionsSearch: () => ({ query: 'bank', country_codes: ['US'] }),
  itemRemove: () => ({ access_token: ready.replace(/1$/, '3').replace(/03$/, '43') }),
  liabilitiesGet: () => ({ access_token: ready }),
  oauthRevoke: () => ({ token: known['token'] }),
  oauthToken: () => ({ grant_type: 'client_credentials' }),
  protectEventSend: () => ({
    event: { timestamp: new Date().toISOString(), user_sign_up: {} },
  }),
  transactionsGet: () => ({
    access_token: ready,
    start_date: '2024-01-01',
    end_date: new Date().toISOString().slice(0, 10),
  }),
  transactionsRefresh: () => ({ access_token: ready }),
  transactionsSync: () => ({ access_token: ready }),
  transferGet: () => ({ transfer_id: 'c409b436-0343-4b5a-ab35-b55352cee48d' }),
  transferMigrateAccount: () => ({
    account_number: '000123456789',
    routing_number: '021000021',
    account_type: 'checking',
  }),
  userCreate: () => ({ client_user_id: 'borrower-new' }),
  walletCreate: () => ({ iso_currency_code: 'GBP' }),
  walletGet: () => ({ wallet_id: 'wallet-id-sandbox-c0495d79-d308-4655-acf7-e7a08b6681fb' }),
  walletList: () => ({}),
  webhookVerificationKeyGet: () => ({ key_id: known['key_id'] }),
}

describe('the default seed data', () => {
  test.each(Object.keys(operations) as OperationId[])('lets %s succeed', async (id) => {
    expect(await ask(id, requests[id]?.() ?? exampleRequest(id))).toHaveProperty('request_id')
  })

  test('has more than ten banks to find, and finds one by its id', async () => {
    const found = async (query: string, countries = ['US']) => {
      const body = await ask('institutionsSearch', { query, country_codes: countries })
      return (body['institutions'] as Body[]).map((one) => one['institution_id'])
    }
    expect(await found('bank')).toHaveLength(10)
    expect(await found('ins_109508')).toEqual(['ins_109508'])
    expect(await found('tidewater', ['US', 'GB'])).toEqual(['ins_109508', 'ins_118304'])
    expect((await found('bank', ['GB'])).length).toBeGreaterThan(1)
    expect((await found('maple', ['CA'])).length).toBe(1)
  })

  test('has institutions with a status, with parts of one, and without', async () => {
    const body = await ask('institutionsSearch', {
      query: 'bank',
      country_codes: ['US'],
      products: ['transfer'],
    })
    const statuses = (body['institutions'] as Body[]).map((one) => one['status'])
    expect(statuses.some((status) => status === null)).toBe(true)
    expect(statuses.some((status) => status !== null)).toBe(true)
  })

  test('has one without auth that matches numbers at once', async () => {
    const body = await ask('institutionsSearch', {
      query: 'cinder quay',
      country_codes: ['US'],
      products: ['auth'],
    })
    expect((body['institutions'] as Body[])[0]!['products']).not.toContain('auth')
  })

  test('knows the public key of the first client in older versions', async () => {
    const answer = await world.fetch(
      new Request(`${world.url}/institutions/search`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'SERVICE-VERSION': '2018-05-22' },
        body: JSON.stringify({
          query: 'bank',
          products: ['transactions'],
          public_key: '5a4db07c0ffee00000000000c1ab',
        }),
      }),
    )
    expect(await answer.json()).toHaveProperty('institutions')
  })

  test('tells the events of bank transfers in their order', async () => {
    const body = await ask('bankTransferEventSync', { after_id: 0 })
    const events = body['bank_transfer_events'] as Body[]
    expect(events.map((event) => event['event_id'])).toEqual(events.map((_, index) => index + 1))
    const times = events.map((event) => event['timestamp'] as string)
    expect(times).toEqual([...times].sort())
    const found = new Set(events.map((event) => event['event_type']))
    expect([...found].sort()).toEqual(['cancelled', 'failed', 'pending', 'posted', 'reversed'])
  })

  test('lists dashboard users in every state', async () => {
    const body = await ask('dashboardUserList', {})
    const users = body['dashboard_users'] as Body[]
    expect(users.map((user) => user['status']).sort()).toEqual(['active', 'deactivated', 'invited'])
    expect(users.map((user) => user['id'])).toContain('941e0fd59bd4ca10937102df')
  })

  test('has wallets in both currencies and every state', async () => {
    const body = await ask('walletList', { count: 20 })
    const wallets = body['wallets'] as Body[]
    expect(new Set(wallets.map((wallet) => wallet['status']))).toEqual(
      new Set(['ACTIVE', 'CLOSED', 'UNKNOWN']),
    )
  })
})

describe('a transfer', () => {
  const get = async (transfer_id: string): Promise<Body> => {
    const body = await ask('transferGet', { transfer_id })
    return body['transfer'] as Body
  }
  const other = (end: string) => `00000000-0000-4000-8000-0000000000${end}`

  test.each([
    ['c409b436-0343-4b5a-ab35-b55352cee48d', 'settled', 'ach'],
    ['d23f0824-128b-4f33-8c5c-7fd0a6a3a450', 'pending', 'ach'],
    [other('a1'), 'posted', 'ach'],
    [other('a2'), 'funds_available', 'ach'],
    [other('a3'), 'returned', 'ach'],
    [other('a4'), 'cancelled', 'same-day-ach'],
    [other('a5'), 'failed', 'rtp'],
    [other('a6'), 'settled', 'rtp'],
    [other('a7'), 'settled', 'same-day-ach'],
    [other('a8'), 'settled', 'wire'],
    [other('a9'), 'returned', 'wire'],
  ])('%s is %s by %s', async (id, status, network) => {
    expect(await get(id)).toMatchObject({ status, network })
  })

  test('has refunds in every state', async () => {
    const { refunds } = await get(other('a2'))
    const found = (refunds as Body[]).map((refund) => refund['status'])
    expect(found).toEqual(['pending', 'settled', 'cancelled', 'failed', 'returned'])
  })

  test('is found by the authorization of the examples', async () => {
    const body = await ask('transferGet', {
      authorization_id: '12cfda35-14a5-4548-a5c6-d0e7a095c474',
    })
    expect(body['transfer']).toMatchObject({
      id: 'c409b436-0343-4b5a-ab35-b55352cee48d',
      refunds: [{ id: '46f6f919-95b5-4e2e-a468-8e1f2e223ee9', status: 'posted' }],
    })
  })
})

describe('an identity verification', () => {
  const attempts = async (user: string, template: string): Promise<Body[]> => {
    const body = await ask('identityVerificationList', {
      template_id: `idvtmp_00000000000${template}`,
      client_user_id: user,
    })
    return body['identity_verifications'] as Body[]
  }

  test.each([
    ['applicant-active', 'all', 'active'],
    ['applicant-failed', 'all', 'failed'],
    ['applicant-fallback', 'all', 'success'],
    ['applicant-selfie', 'all', 'failed'],
    ['applicant-risk', 'all', 'failed'],
    ['applicant-review', 'all', 'pending_review'],
    ['applicant-approved', 'kyc', 'success'],
    ['applicant-rejected', 'kyc', 'failed'],
    ['applicant-skipped', 'all', 'active'],
    ['applicant-expired', 'kyc', 'expired'],
    ['applicant-canceled', 'kyc', 'canceled'],
  ])('of %s at the template %s is %s', async (user, template, status) => {
    expect((await attempts(user, template))[0]).toMatchObject({ status })
  })

  test('of the examples is a retry that shows what every step found', async () => {
    const [latest, first] = await attempts('borrower-7f3a', 'all')
    expect(first!['id']).toBe('idv_7cNKUz1VR4eKd4')
    expect(latest).toMatchObject({
      id: 'idv_NxSa7PTfNMXRXY',
      previous_attempt_id: 'idv_7cNKUz1VR4eKd4',
      user_id: 'usr_FgSDPWgZbL8UvW',
      template: { id: 'idvtmp_00000000000all', version: 3 },
    })
    for (const part of ['documentary_verification', 'selfie_check', 'kyc_check', 'risk_check']) {
      expect(latest![part], part).not.toBeNull()
    }
  })
})
