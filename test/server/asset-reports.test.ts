import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AssetReport, AssetReportGetRequest, AssetReportOptions } from '#contract/types.ts'
import { startWorld, type Tenant, type TestService } from '../support/service.ts'
import { linkItem } from '../support/tour.ts'

let service: TestService & { client: Tenant }

beforeAll(async () => {
  service = await startWorld()
})
afterAll(() => service.close())

const products = ['assets', 'transactions', 'identity', 'investments']

interface Made {
  tenant: Tenant
  accessToken: string
  token: string
  id: string
}

async function create(
  tenant: Tenant,
  access_tokens: string[],
  options: AssetReportOptions = {},
  days_requested = 90,
) {
  const { data, error } = await tenant.api.assetReportCreate({
    access_tokens,
    days_requested,
    options,
  })
  if (error) throw new Error(JSON.stringify(error))
  return { token: data.asset_report_token, id: data.asset_report_id }
}

/** A report of a new Item, ready unless it could not be made. */
async function makeReport(options: AssetReportOptions = {}, days = 90): Promise<Made> {
  const tenant = await service.tenant()
  const accessToken = await linkItem(tenant, products)
  const made = await create(tenant, [accessToken], options, days)
  await settle(tenant)
  return { tenant, accessToken, ...made }
}

const settle = (tenant: Tenant) => tenant.control('sandboxClockAdvance', { seconds: 60 })

async function read(tenant: Tenant, body: AssetReportGetRequest): Promise<AssetReport> {
  const { data, error } = await tenant.api.assetReportGet(body)
  if (error) throw new Error(JSON.stringify(error))
  return data.report
}

const codeOf = async (tenant: Tenant, path: string, body: object) => {
  const answer = await tenant.post(path, body)
  return answer.body['error_code']
}

const accountsOf = (report: AssetReport) => report.items.flatMap((item) => item.accounts)

describe('assetReportCreate', () => {
  test('answers at once, and makes the report later', async () => {
    const tenant = await service.tenant()
    const { token } = await create(tenant, [await linkItem(tenant, products)])
    await settle(tenant)
    const report = await read(tenant, { asset_report_token: token })
    expect(report).toMatchObject({ days_requested: 90, client_report_id: null })
    expect(accountsOf(report).length).toBeGreaterThan(4)
  })

  test('shows what was sent, with the phone number in E.164 form', async () => {
    const { tenant, token } = await makeReport({
      client_report_id: 'loan-1',
      user: {
        client_user_id: 'borrower-1',
        first_name: 'Maren',
        ssn: '900-12-3456',
        phone_number: '(415) 555-0142',
      },
    })
    expect(await read(tenant, { asset_report_token: token })).toMatchObject({
      client_report_id: 'loan-1',
      user: {
        client_user_id: 'borrower-1',
        first_name: 'Maren',
        middle_name: null,
        last_name: null,
        ssn: '900-12-3456',
        phone_number: '+14155550142',
        email: null,
      },
    })
  })

  test('rejects Items that were linked without assets, and names them', async () => {
    const tenant = await service.tenant()
    const access_tokens = [await linkItem(tenant, ['transactions'])]
    const { body } = await tenant.post('/asset_report/create', {
      access_tokens,
      days_requested: 30,
    })
    expect(body).toMatchObject({
      error_type: 'ASSET_REPORT_ERROR',
      error_code: 'PRODUCT_NOT_ENABLED',
      causes: [{ error_type: 'ITEM_ERROR', item_id: expect.any(String) }],
    })
  })

  test("rejects another client's Item", async () => {
    const [tenant, other] = [await service.tenant(), await service.tenant()]
    const body = { access_tokens: [await linkItem(tenant, products)], days_requested: 30 }
    expect(await codeOf(other, '/asset_report/create', body)).toBe('INVALID_ACCESS_TOKEN')
  })

  test('fails later when an Item is unhealthy, and says which', async () => {
    const tenant = await service.tenant()
    const [good, bad] = [await linkItem(tenant, products), await linkItem(tenant, products)]
    await tenant.control('sandboxItemResetLogin', { access_token: bad })
    const { token } = await create(tenant, [good, bad])
    await settle(tenant)
    const { body } = await tenant.post('/asset_report/get', { asset_report_token: token })
    expect(body).toMatchObject({
      error_code: 'DATA_UNAVAILABLE',
      causes: [{ error_code: 'ITEM_LOGIN_REQUIRED', item_id: expect.any(String) }],
    })
  })

  test('does with one healthy Item when not all are required', async () => {
    const tenant = await service.tenant()
    const [good, bad] = [await linkItem(tenant, products), await linkItem(tenant, products)]
    await tenant.control('sandboxItemResetLogin', { access_token: bad })
    const options = { require_all_items: false }
    const some = await create(tenant, [good, bad], options)
    const none = await create(tenant, [bad], options)
    await settle(tenant)
    expect((await read(tenant, { asset_report_token: some.token })).items).toHaveLength(1)
    const code = await codeOf(tenant, '/asset_report/get', { asset_report_token: none.token })
    expect(code).toBe('DATA_UNAVAILABLE')
  })

  test('goes on without owners or transactions that an Item cannot give, and warns', async () => {
    const tenant = await service.tenant()
    const access_token = await linkItem(tenant, products)
    const failing = { error_code: 'ACCESS_NOT_GRANTED' as const, products: ['identity' as const] }
    await tenant.control('sandboxItemSetHealth', { access_token, ...failing })
    const { token } = await create(tenant, [access_token], { add_ons: ['fast_assets'] })
    await settle(tenant)
    const { data } = await tenant.api.assetReportGet({ asset_report_token: token })
    expect(data?.warnings).toMatchObject([
      { warning_code: 'OWNERS_UNAVAILABLE', cause: { error_code: 'ACCESS_NOT_GRANTED' } },
    ])
    const fast = { asset_report_token: token, fast_report: true }
    expect(await codeOf(tenant, '/asset_report/get', fast)).toBe('DATA_UNAVAILABLE')
  })
})

describe('assetReportGet', () => {
  test('shows insights only when asked', async () => {
    const { tenant, token } = await makeReport()
    const first = async (include_insights: boolean) =>
      accountsOf(await read(tenant, { asset_report_token: token, include_insights })).flatMap(
        ({ transactions }) => transactions,
      )[0]
    expect(Object.keys((await first(false)) ?? {})).not.toContain('credit_category')
    expect(await first(true)).toMatchObject({
      credit_category: { primary: expect.any(String) },
      location: expect.any(Object),
    })
  })

  test('shows the asked part of the days', async () => {
    const { tenant, token } = await makeReport({}, 90)
    const options = { days_to_include: 7 }
    const all = accountsOf(await read(tenant, { asset_report_token: token }))
    const part = accountsOf(await read(tenant, { asset_report_token: token, options }))
    expect(all[0]?.historical_balances).toHaveLength(90)
    expect(part[0]?.historical_balances).toHaveLength(7)
    expect(part[0]?.days_available).toBe(7)
    const more = { asset_report_token: token, options: { days_to_include: 91 } }
    expect(await codeOf(tenant, '/asset_report/get', more)).toBe('INVALID_FIELD')
  })

  test('has balances of each day that follow from the transactions', async () => {
    const { tenant, token } = await makeReport()
    const checking = accountsOf(await read(tenant, { asset_report_token: token })).find(
      ({ subtype }) => subtype === 'checking',
    )
    const cents = (amount: number) => Math.round(amount * 100)
    const [today, yesterday] = checking?.historical_balances ?? []
    const moved = (checking?.transactions ?? [])
      .filter(({ date, pending }) => date === today?.date && !pending)
      .reduce((sum, { amount }) => sum + cents(amount), 0)
    expect(cents(yesterday?.current ?? 0)).toBe(cents(today?.current ?? 0) + moved)
    expect(today?.current).toBe(checking?.balances.current)
  })

  test('shows investments only when they were asked for', async () => {
    const plain = await makeReport()
    const invested = await makeReport({ add_ons: ['investments'] })
    const investmentOf = async ({ tenant, token }: Made) =>
      accountsOf(await read(tenant, { asset_report_token: token })).find(
        ({ type }) => type === 'investment',
      )?.investments
    expect(await investmentOf(plain)).toBeUndefined()
    expect((await investmentOf(invested))?.holdings).toHaveLength(3)
  })

  test('never changes', async () => {
    const { tenant, token, accessToken } = await makeReport()
    const before = await read(tenant, { asset_report_token: token })
    await tenant.control('sandboxClockAdvance', { seconds: 30 * 86_400 })
    await tenant.api.itemRemove({ access_token: accessToken })
    expect(await read(tenant, { asset_report_token: token })).toEqual(before)
  })

  test('gives the fast report only where it was made', async () => {
    const { tenant, token } = await makeReport({ add_ons: ['fast_assets'] })
    const fast = accountsOf(await read(tenant, { asset_report_token: token, fast_report: true }))
    expect(fast[0]).toMatchObject({ days_available: 0, transactions: [], historical_balances: [] })
    expect(fast[0]?.owners.length).toBeGreaterThan(0)
    const plain = await makeReport()
    const body = { asset_report_token: plain.token, fast_report: true }
    expect(await codeOf(plain.tenant, '/asset_report/get', body)).toBe('INVALID_FIELD')
  })

  test("gives a user's latest report for their token, or for a bearer token", async () => {
    const tenant = await service.tenant()
    const client_user_id = 'borrower-2'
    const { data: user } = await tenant.api.userCreate({ client_user_id })
    const user_token = user?.user_token ?? ''
    expect(await codeOf(tenant, '/asset_report/get', { user_token })).toBe('PRODUCT_NOT_READY')
    const access = [await linkItem(tenant, products)]
    await create(tenant, access, { user: { client_user_id } })
    const latest = await create(tenant, access, { user: { client_user_id } })
    await settle(tenant)
    expect((await read(tenant, { user_token })).asset_report_id).toBe(latest.id)
    const { data: issued } = await tenant.api.oauthToken({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token_type: 'urn:service:params:tokens:user',
      subject_token: user_token,
      audience: tenant.clientId,
    })
    const headers = { Authorization: `Bearer ${issued?.access_token}` }
    const answer = await tenant.post('/asset_report/get', {}, headers)
    expect(answer.body).toMatchObject({ report: { asset_report_id: latest.id } })
  })

  test('lets a named partner read with a multi-party token, and its own credentials', async () => {
    const [tenant, partner, stranger] = [
      await service.tenant(),
      await service.tenant(),
      await service.tenant(),
    ]
    const client_user_id = 'borrower-3'
    const { data: user } = await tenant.api.userCreate({ client_user_id })
    const made = await create(tenant, [await linkItem(tenant, products)], {
      user: { client_user_id },
    })
    await settle(tenant)
    const { data: issued } = await tenant.api.oauthToken({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token_type: 'urn:service:params:credit:multi-user',
      subject_token: user?.user_token ?? '',
      audience: `${tenant.clientId},${partner.clientId}`,
    })
    const headers = { Authorization: `Bearer ${issued?.access_token}` }
    const read = await partner.post('/asset_report/get', {}, headers)
    expect(read.body).toMatchObject({ report: { asset_report_id: made.id } })
    expect((await stranger.post('/asset_report/get', {}, headers)).status).toBe(401)
  })

  test.each([
    [
      'an unknown report',
      { asset_report_token: 'assets-sandbox-none' },
      'INVALID_ASSET_REPORT_TOKEN',
    ],
    ['an unknown user', { user_token: 'user-sandbox-none' }, 'INVALID_USER_TOKEN'],
    ['no token', {}, 'MISSING_FIELDS'],
    ['two tokens', { asset_report_token: 'a', user_token: 'b' }, 'INVALID_FIELD'],
  ])('rejects %s', async (_case, body, code) => {
    expect(await codeOf(await service.tenant(), '/asset_report/get', body)).toBe(code)
  })

  test("rejects another client's token as unknown", async () => {
    const { token } = await makeReport()
    const body = { asset_report_token: token }
    const code = await codeOf(await service.tenant(), '/asset_report/get', body)
    expect(code).toBe('INVALID_ASSET_REPORT_TOKEN')
  })

  test('rejects insights to a client that they are not granted to', async () => {
    const tenant = await service.tenant([])
    const { token } = await create(tenant, [await linkItem(tenant, products)])
    await settle(tenant)
    const body = { asset_report_token: token, include_insights: true }
    expect(await codeOf(tenant, '/asset_report/get', body)).toBe('INSIGHTS_NOT_ENABLED')
  })
})

describe('assetReportFilter', () => {
  test('makes a new report without the accounts, and leaves the first as it is', async () => {
    const { tenant, token, id } = await makeReport({ client_report_id: 'loan-2' })
    const before = await read(tenant, { asset_report_token: token })
    const excluded = accountsOf(before)[0]?.account_id ?? ''
    const { data } = await tenant.api.assetReportFilter({
      asset_report_token: token,
      account_ids_to_exclude: [excluded],
    })
    await settle(tenant)
    const filtered = await read(tenant, { asset_report_token: data?.asset_report_token ?? '' })
    expect(filtered.asset_report_id).not.toBe(id)
    expect(filtered.client_report_id).toBe('loan-2')
    const ids = accountsOf(filtered).map(({ account_id }) => account_id)
    expect(ids).toEqual(
      accountsOf(before)
        .map(({ account_id }) => account_id)
        .slice(1),
    )
    expect(await read(tenant, { asset_report_token: token })).toEqual(before)
  })

  test('drops Items of which no account is left', async () => {
    const tenant = await service.tenant()
    const items = [await linkItem(tenant, products), await linkItem(tenant, products)]
    const { token } = await create(tenant, items)
    await settle(tenant)
    const [first] = (await read(tenant, { asset_report_token: token })).items
    const { data } = await tenant.api.assetReportFilter({
      asset_report_token: token,
      account_ids_to_exclude: first?.accounts.map(({ account_id }) => account_id) ?? [],
    })
    await settle(tenant)
    const filtered = await read(tenant, { asset_report_token: data?.asset_report_token ?? '' })
    expect(filtered.items).toHaveLength(1)
  })

  test('rejects unknown accounts, none, and all', async () => {
    const { tenant, token } = await makeReport()
    const ids = accountsOf(await read(tenant, { asset_report_token: token })).map(
      ({ account_id }) => account_id,
    )
    const code = (account_ids_to_exclude: string[]) => {
      const body = { asset_report_token: token, account_ids_to_exclude }
      return codeOf(tenant, '/asset_report/filter', body)
    }
    expect(await code(['unknown'])).toBe('INVALID_ACCOUNT_ID')
    expect(await code([])).toBe('INVALID_FIELD')
    expect(await code(ids)).toBe('INVALID_FIELD')
  })
})

describe('the webhooks of reports', () => {
  test('tell of the fast report first, then of the full one, and of failures', async () => {
    const webhook = 'http://127.0.0.1:9/reports'
    const { tenant, id } = await makeReport({ webhook, add_ons: ['fast_assets'] })
    const { webhooks } = await tenant.control('sandboxWebhookList', {})
    const told = webhooks.map(({ webhook_code, body }) => [webhook_code, JSON.parse(body)])
    expect(told.reverse()).toEqual([
      ['PRODUCT_READY', expect.objectContaining({ asset_report_id: id, report_type: 'FAST' })],
      ['PRODUCT_READY', expect.objectContaining({ asset_report_id: id, report_type: 'FULL' })],
    ])
  })

  test('tell of a failure with its causes', async () => {
    const tenant = await service.tenant()
    const access_token = await linkItem(tenant, products)
    await tenant.control('sandboxItemResetLogin', { access_token })
    await create(tenant, [access_token], { webhook: 'http://127.0.0.1:9/reports' })
    await settle(tenant)
    const { webhooks } = await tenant.control('sandboxWebhookList', {})
    expect(JSON.parse(webhooks[0]?.body ?? '{}')).toMatchObject({
      webhook_type: 'ASSETS',
      webhook_code: 'ERROR',
      error: {
        error_code: 'DATA_UNAVAILABLE',
        status: 400,
        causes: [{ error_code: 'ITEM_LOGIN_REQUIRED' }],
      },
    })
  })
})
