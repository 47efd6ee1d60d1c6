import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AssetReport, AssetReportOptions } from '#contract/types.ts'
import { startWorld, type Tenant, type TestService } from '../support/service.ts'
import { linkItem } from '../support/tour.ts'

let service: TestService

beforeAll(async () => {
  // Long enough for something to happen between the order, the fast report and the full one.
  service = await startWorld({ settings: { environment: 'sandbox', reportDelayMs: 20_000 } })
})
afterAll(() => service.close())

const products = ['assets', 'transactions', 'identity', 'investments']
const wait = (tenant: Tenant, seconds: number) => tenant.control('sandboxClockAdvance', { seconds })

async function order(
  tenant: Tenant,
  access_tokens: string[],
  options: AssetReportOptions = {},
): Promise<string> {
  const body = { access_tokens, days_requested: 30, options }
  const { data, error } = await tenant.api.assetReportCreate(body)
  if (error) throw new Error(JSON.stringify(error))
  return data.asset_report_token
}

const filter = (tenant: Tenant, asset_report_token: string, account_ids_to_exclude: string[]) =>
  tenant.post('/asset_report/filter', { asset_report_token, account_ids_to_exclude })

async function read(tenant: Tenant, token: unknown, more: object = {}): Promise<AssetReport> {
  const body = { asset_report_token: String(token), ...more }
  const { data, error } = await tenant.api.assetReportGet(body)
  if (error) throw new Error(JSON.stringify(error))
  return data.report
}

const accountsOf = (report: AssetReport) => report.items.flatMap(({ accounts }) => accounts)
const idsOf = (report: AssetReport) => accountsOf(report).map(({ account_id }) => account_id)

describe('assetReportFilter', () => {
  test('waits for the report that it filters, and its own is made later too', async () => {
    const tenant = await service.tenant()
    const parent = await order(tenant, [await linkItem(tenant, products)])
    const early = await filter(tenant, parent, ['any'])
    expect([early.status, early.body]).toEqual([
      400,
      expect.objectContaining({
        error_type: 'ASSET_REPORT_ERROR',
        error_code: 'PRODUCT_NOT_READY',
        causes: [],
      }),
    ])
    await wait(tenant, 20)
    const [first = ''] = idsOf(await read(tenant, parent))
    const { body } = await filter(tenant, parent, [first])
    const pending = { asset_report_token: body['asset_report_token'] }
    const { body: asked } = await tenant.post('/asset_report/get', pending)
    expect(asked['error_code']).toBe('PRODUCT_NOT_READY')
    await wait(tenant, 20)
    expect(idsOf(await read(tenant, body['asset_report_token']))).not.toContain(first)
  })

  test('rejects a report that failed', async () => {
    const tenant = await service.tenant()
    const access_token = await linkItem(tenant, products)
    const parent = await order(tenant, [access_token])
    await tenant.api.itemRemove({ access_token })
    await wait(tenant, 20)
    const { body } = await tenant.post('/asset_report/get', { asset_report_token: parent })
    expect(body).toMatchObject({
      error_code: 'DATA_UNAVAILABLE',
      causes: [{ error_type: 'ITEM_ERROR', error_code: 'ITEM_NOT_FOUND' }],
    })
    const rejected = await filter(tenant, parent, ['any'])
    expect([rejected.status, rejected.body['error_code']]).toEqual([400, 'INVALID_PARENT'])
  })

  test('tells the address of its parent, under its own id', async () => {
    const tenant = await service.tenant()
    const webhook = 'http://127.0.0.1:9/reports'
    const parent = await order(tenant, [await linkItem(tenant, products)], { webhook })
    await wait(tenant, 20)
    const [first = ''] = idsOf(await read(tenant, parent))
    const { body } = await filter(tenant, parent, [first])
    await wait(tenant, 20)
    const [told] = (await tenant.control('sandboxWebhookList', {})).webhooks
    expect(told?.url).toBe(webhook)
    expect(JSON.parse(told?.body ?? '{}')).toMatchObject({
      webhook_code: 'PRODUCT_READY',
      report_type: 'FULL',
      asset_report_id: body['asset_report_id'],
    })
  })

  test('has no data that its parent lacks', async () => {
    const tenant = await service.tenant()
    const access_token = await linkItem(tenant, products)
    const parent = await order(tenant, [access_token])
    await wait(tenant, 20)
    const before = await read(tenant, parent)
    const [first = '', second = ''] = idsOf(before)
    await tenant.control('sandboxAccountUpdate', {
      access_token,
      account_id: second,
      balances: { current: 987.65, available: 1.23 },
    })
    const { body } = await filter(tenant, parent, [first])
    await wait(tenant, 3 * 86_400)
    const filtered = await read(tenant, body['asset_report_token'])
    expect(filtered.date_generated).toBe(before.date_generated)
    expect(accountsOf(filtered)).toEqual(accountsOf(before).slice(1))
  })

  test('can be filtered again', async () => {
    const tenant = await service.tenant()
    const parent = await order(tenant, [await linkItem(tenant, products)])
    await wait(tenant, 20)
    const [first = '', second = '', ...others] = idsOf(await read(tenant, parent))
    const child = (await filter(tenant, parent, [first])).body['asset_report_token'] as string
    await wait(tenant, 20)
    expect((await filter(tenant, child, [first])).body['error_code']).toBe('INVALID_ACCOUNT_ID')
    const grandchild = (await filter(tenant, child, [second])).body['asset_report_token']
    await wait(tenant, 20)
    expect(idsOf(await read(tenant, grandchild))).toEqual(others)
  })

  test('leaves out of both reports what only the fast one had', async () => {
    const tenant = await service.tenant()
    const [kept, lost] = [await linkItem(tenant, products), await linkItem(tenant, products)]
    const options = { add_ons: ['fast_assets' as const], require_all_items: false }
    const parent = await order(tenant, [kept, lost], options)
    await wait(tenant, 10)
    await tenant.control('sandboxItemResetLogin', { access_token: lost })
    await wait(tenant, 10)
    const fast = idsOf(await read(tenant, parent, { fast_report: true }))
    const full = idsOf(await read(tenant, parent))
    const onlyFast = fast.filter((id) => !full.includes(id))
    expect(onlyFast.length).toBeGreaterThan(0)
    const { body } = await filter(tenant, parent, onlyFast)
    await wait(tenant, 20)
    const token = body['asset_report_token']
    expect(idsOf(await read(tenant, token, { fast_report: true }))).toEqual(full)
    expect(idsOf(await read(tenant, token))).toEqual(full)
  })

  test('names its own field when an account is not in the report', async () => {
    const tenant = await service.tenant()
    const parent = await order(tenant, [await linkItem(tenant, products)])
    await wait(tenant, 20)
    const { body } = await filter(tenant, parent, ['unknown'])
    expect(body['error_message']).toContain('`account_ids_to_exclude[0]`')
    expect(body['suggested_action']).toBe('Read the ids of the report with `/asset_report/get`.')
  })
})

describe('assetReportCreate', () => {
  test.each([
    ['include_fast_report', { include_fast_report: true }],
    ['the add-on fast_assets', { add_ons: ['fast_assets' as const] }],
  ])('makes the fast report before the full one with %s', async (_case, options) => {
    const tenant = await service.tenant()
    const token = await order(tenant, [await linkItem(tenant, products)], options)
    await wait(tenant, 10)
    const fast = await read(tenant, token, { fast_report: true })
    expect(accountsOf(fast)[0]?.balances).toMatchObject({ current: expect.any(Number) })
    const { body } = await tenant.post('/asset_report/get', { asset_report_token: token })
    expect(body['error_code']).toBe('PRODUCT_NOT_READY')
  })

  test('names the path of a token of another client', async () => {
    const [tenant, other] = [await service.tenant(), await service.tenant()]
    const access_tokens = [await linkItem(tenant, products), await linkItem(other, products)]
    const { body } = await tenant.post('/asset_report/create', {
      access_tokens,
      days_requested: 30,
    })
    expect([body['error_code'], body['error_message']]).toEqual([
      'INVALID_ACCESS_TOKEN',
      expect.stringContaining('`access_tokens[1]`'),
    ])
  })

  test('ties a report to the user whose token it carries, too', async () => {
    const tenant = await service.tenant()
    const { data } = await tenant.api.userCreate({ client_user_id: 'borrower-4' })
    const user_token = data?.user_token ?? ''
    const access_tokens = [await linkItem(tenant, products)]
    await order(tenant, access_tokens, { user: { client_user_id: user_token } })
    await wait(tenant, 20)
    expect((await tenant.post('/asset_report/get', { user_token })).status).toBe(200)
  })
})
