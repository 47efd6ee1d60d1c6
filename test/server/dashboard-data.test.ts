import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type DashboardBrowser, signIn } from '../support/dashboard-browser.ts'
import { link } from '../support/items-fixtures.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'

let service: TestService
let tenant: Tenant
let other: Tenant
let browser: DashboardBrowser
let stranger: DashboardBrowser
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())
beforeEach(async () => {
  ;[tenant, other] = [await service.tenant(), await service.tenant()]
  browser = await signIn(service, { client_id: tenant.clientId, role: 'developer' })
  stranger = await signIn(service, { client_id: other.clientId, role: 'admin' })
})

type Lists =
  | 'dashboardTransferList'
  | 'dashboardWalletList'
  | 'dashboardReportList'
  | 'dashboardEndUserList'
  | 'dashboardInstitutionList'

/** Reads a list in pages of two. */
async function readAll(id: Lists, filters: object = {}): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = []
  let cursor: unknown = null
  do {
    const { status, body } = await browser.send(id, { ...filters, count: 2, cursor })
    expect(status).toBe(200)
    const [page] = Object.values(body).filter(Array.isArray)
    expect(page?.length).toBeLessThanOrEqual(2)
    rows.push(...(page ?? []))
    cursor = body['next_cursor']
  } while (cursor !== null)
  return rows
}

async function transfer(owner: Tenant, changed: object = {}): Promise<string> {
  const { access_token } = await link(owner, { initial_products: ['auth'] })
  const { accounts } = await owner.api.accountsGet({ access_token }).orThrow()
  const account = accounts.find(({ subtype }) => subtype === 'checking')
  const { transfer: made } = await owner.control('sandboxTransferCreate', {
    account_id: account?.account_id ?? '',
    type: 'debit',
    network: 'ach',
    ach_class: 'web',
    amount: '12.34',
    description: 'Rent',
    user: { legal_name: 'Ada Prewitt' },
    ...changed,
  })
  return made.id
}

describe('dashboardTransferList', () => {
  test('has the transfers of the client page by page, and by status', async () => {
    const ids = [await transfer(tenant), await transfer(tenant), await transfer(tenant)]
    await transfer(other)
    const rows = await readAll('dashboardTransferList')
    expect(rows.map(({ transfer_id }) => transfer_id).sort()).toEqual([...ids].sort())
    expect(rows[0]).toMatchObject({ amount: '12.34', currency: 'USD', status: 'pending' })
    const [first = ''] = ids
    await tenant.control('sandboxTransferSimulate', { transfer_id: first, event_type: 'posted' })
    const posted = await readAll('dashboardTransferList', { status: 'posted' })
    expect(posted.map(({ transfer_id }) => transfer_id)).toEqual([first])
    expect(await readAll('dashboardTransferList', { type: 'credit' })).toEqual([])
    expect(await readAll('dashboardTransferList', { network: 'rtp' })).toEqual([])
    expect(await readAll('dashboardTransferList', { account_id: 'none' })).toEqual([])
  })
})

describe('dashboardTransferGet', () => {
  test('has the holder, the refunds, and what can happen next', async () => {
    const transfer_id = await transfer(tenant)
    const { refund } = await tenant.control('sandboxTransferRefundCreate', {
      transfer_id,
      amount: '2.00',
    })
    const shown = await browser.ask('dashboardTransferGet', { transfer_id })
    expect(shown).toMatchObject({
      legal_name: 'Ada Prewitt',
      next_events: ['posted', 'failed', 'cancelled'],
      refunds: [{ refund_id: refund.id, amount: '2.00', next_events: ['failed', 'cancelled'] }],
    })
    expect((await stranger.send('dashboardTransferGet', { transfer_id })).status).toBe(404)
  })

  test('offers exactly the events that the sandbox API accepts', async () => {
    const events = [
      'posted',
      'settled',
      'funds_available',
      'cancelled',
      'failed',
      'returned',
    ] as const
    for (const path of [[], ['posted'], ['posted', 'settled'], ['posted', 'returned']] as const) {
      const offered = new Set<string>()
      const accepted = new Set<string>()
      for (const event_type of events) {
        const transfer_id = await transfer(tenant)
        for (const step of path) {
          await tenant.control('sandboxTransferSimulate', { transfer_id, event_type: step })
        }
        const { next_events } = await browser.ask('dashboardTransferGet', { transfer_id })
        for (const next of next_events) offered.add(next)
        const { status } = await tenant.post('/sandbox/transfer/simulate', {
          transfer_id,
          event_type,
        })
        if (status === 200) accepted.add(event_type)
      }
      expect([path, offered]).toEqual([path, accepted])
    }
  })
})

describe('dashboardWalletList', () => {
  test('has the wallets of the client, the newest first, by currency and status', async () => {
    const make = async (owner: Tenant, iso_currency_code: 'GBP' | 'EUR') =>
      (await owner.api.walletCreate({ iso_currency_code }).orThrow()).wallet_id
    const ids = [await make(tenant, 'GBP'), await make(tenant, 'EUR'), await make(tenant, 'GBP')]
    await make(other, 'GBP')
    const rows = await readAll('dashboardWalletList')
    expect(rows.map(({ wallet_id }) => wallet_id)).toEqual([...ids].reverse())
    const euros = await readAll('dashboardWalletList', { currency: 'EUR' })
    expect(euros.map(({ wallet_id }) => wallet_id)).toEqual([ids[1]])
    await tenant.control('sandboxWalletSimulate', { wallet_id: ids[0] ?? '', status: 'CLOSED' })
    const closed = await readAll('dashboardWalletList', { status: 'CLOSED' })
    expect(closed.map(({ wallet_id }) => wallet_id)).toEqual([ids[0]])
  })
})

describe('dashboardWalletGet', () => {
  test('has the account numbers', async () => {
    const made = await tenant.api.walletCreate({ iso_currency_code: 'EUR' }).orThrow()
    const { wallet_id } = made
    const shown = await browser.ask('dashboardWalletGet', { wallet_id })
    expect(shown.numbers).toEqual({
      account: null,
      sort_code: null,
      ...made.numbers.international,
    })
    expect((await stranger.send('dashboardWalletGet', { wallet_id })).status).toBe(404)
  })
})

async function report(owner: Tenant, token?: string): Promise<string> {
  const access_token = token ?? (await link(owner, { initial_products: ['assets'] })).access_token
  const made = await owner.api
    .assetReportCreate({
      access_tokens: [access_token],
      days_requested: 10,
      options: { client_report_id: 'loan-7', user: { first_name: 'Ada', ssn: '900-12-3456' } },
    })
    .orThrow()
  return made.asset_report_id
}

describe('dashboardReportList', () => {
  test('has the reports of the client page by page, and by status', async () => {
    const ids = [await report(tenant), await report(tenant), await report(tenant)]
    await report(other)
    const rows = await readAll('dashboardReportList')
    expect(rows.map(({ asset_report_id }) => asset_report_id).sort()).toEqual([...ids].sort())
    expect(rows[0]).toMatchObject({ days_requested: 10, items: 1, client_report_id: 'loan-7' })
    expect(await readAll('dashboardReportList', { status: 'failed' })).toEqual([])
    expect(await readAll('dashboardReportList', { user_id: 'none' })).toEqual([])
  })
})

describe('dashboardReportGet', () => {
  test('has the accounts of a report that is ready, and no SSN', async () => {
    const asset_report_id = await report(tenant)
    await service.service.runner.finish()
    const shown = await browser.ask('dashboardReportGet', { asset_report_id })
    expect(shown.report.status).toBe('ready')
    expect(shown.subject.name).toBe('Ada')
    expect(shown.accounts.length).toBeGreaterThan(1)
    expect(shown.accounts[0]?.current).not.toBeNull()
    expect(JSON.stringify(shown)).not.toMatch(/900-?12-?3456/)
    expect((await stranger.send('dashboardReportGet', { asset_report_id })).status).toBe(404)
  })

  test('says why a report failed', async () => {
    const { access_token } = await link(tenant, { initial_products: ['assets'] })
    const error_code = 'ITEM_LOGIN_REQUIRED'
    await tenant.control('sandboxItemSetHealth', { access_token, error_code })
    const asset_report_id = await report(tenant, access_token)
    await service.service.runner.finish()
    const shown = await browser.ask('dashboardReportGet', { asset_report_id })
    expect(shown).toMatchObject({
      report: { status: 'failed' },
      failure: { error_code: 'DATA_UNAVAILABLE' },
      accounts: [],
    })
  })
})

describe('dashboardEndUserList', () => {
  test('has the users of the client, and one by their id there', async () => {
    const make = async (owner: Tenant, client_user_id: string) =>
      (await owner.api.userCreate({ client_user_id }).orThrow()).user_id
    const ids = [await make(tenant, 'one'), await make(tenant, 'two'), await make(tenant, 'three')]
    await make(other, 'two')
    const rows = await readAll('dashboardEndUserList')
    expect(rows.map(({ user_id }) => user_id).sort()).toEqual([...ids].sort())
    const found = await readAll('dashboardEndUserList', { client_user_id: 'two' })
    expect(found.map(({ user_id }) => user_id)).toEqual([ids[1]])
  })
})

describe('dashboardEndUserGet', () => {
  test('has the identity without id numbers, and the Items', async () => {
    const { user_id, user_token } = await tenant.api
      .userCreate({
        client_user_id: 'ada',
        identity: {
          name: { given_name: 'Ada', family_name: 'Prewitt' },
          emails: ['ada@example.com', { data: 'ada@example.com', primary: true }],
          addresses: [{ street_1: '1 Quay', city: 'Larkspur', region: 'OR', country: 'US' }],
          id_numbers: [{ value: '900123456', type: 'us_ssn' }],
        },
      })
      .orThrow()
    const { item_id } = await link(tenant, { user_token })
    const shown = await browser.ask('dashboardEndUserGet', { user_id })
    expect(shown.identity).toEqual({
      name: 'Ada Prewitt',
      date_of_birth: null,
      emails: ['ada@example.com'],
      phone_numbers: [],
      addresses: ['1 Quay, Larkspur, OR, US'],
      id_numbers: ['us_ssn'],
    })
    expect(JSON.stringify(shown)).not.toContain('900123456')
    expect(shown.items).toMatchObject([{ item_id, error_code: null }])
    expect((await stranger.send('dashboardEndUserGet', { user_id })).status).toBe(404)
  })

  test('has no identity of a user without one', async () => {
    const { user_id } = await tenant.api.userCreate({ client_user_id: 'bare' }).orThrow()
    const shown = await browser.ask('dashboardEndUserGet', { user_id })
    expect(shown).toMatchObject({ identity: null, items: [] })
  })
})

describe('dashboardInstitutionList', () => {
  const create = (owner: Tenant, name: string, institution_id?: string) =>
    owner.control('sandboxInstitutionCreate', {
      name,
      products: ['transactions'],
      country_codes: ['GB'],
      ...(institution_id === undefined ? {} : { institution_id }),
    })

  test('has those of all clients and of this one, in the order of their names', async () => {
    await create(tenant, 'Zürich Quay Bank', 'own_quay')
    await create(other, 'Elsewhere Quay')
    const rows = await readAll('dashboardInstitutionList')
    const names = rows.map(({ name }) => name)
    expect(names).toContain('Zürich Quay Bank')
    expect(names).not.toContain('Elsewhere Quay')
    expect(new Set(rows.map(({ institution_id }) => institution_id)).size).toBe(rows.length)
    const found = await readAll('dashboardInstitutionList', { name: 'zurich quay' })
    expect(found).toMatchObject([{ institution_id: 'own_quay', is_own: true }])
    expect(await readAll('dashboardInstitutionList', { name: '%' })).toEqual([])
  })

  test('reads names with a common part page by page', async () => {
    for (const name of ['Quay A', 'Quay B', 'Quay C'])
      await create(tenant, name, `own_${name.at(-1)}`)
    const rows = await readAll('dashboardInstitutionList', { name: 'quay', country_code: 'GB' })
    expect(rows.map(({ name }) => name)).toEqual(['Quay A', 'Quay B', 'Quay C'])
    const other = { name: 'quay', product: 'auth' }
    expect(await readAll('dashboardInstitutionList', other)).toEqual([])
  })
})

describe('dashboardInstitutionGet', () => {
  test('has the status by kind of request', async () => {
    const { institution_id } = await tenant.control('sandboxInstitutionCreate', {
      name: 'Quay Bank',
      products: ['auth'],
      country_codes: ['US'],
      status: { item_logins: { status: 'HEALTHY' }, auth: { status: 'DOWN' } },
    })
    const shown = await browser.ask('dashboardInstitutionGet', { institution_id })
    expect(shown.institution.health).toBe('DOWN')
    expect(shown.parts.map(({ name, status }) => [name, status])).toEqual([
      ['item_logins', 'HEALTHY'],
      ['auth', 'DOWN'],
    ])
    expect(shown.auth_methods).toEqual(['instant_auth'])
    expect((await stranger.send('dashboardInstitutionGet', { institution_id })).status).toBe(404)
  })
})

describe('a reviewer', () => {
  test('sees users, and nothing of the technical lists', async () => {
    const reviewer = await signIn(service, { client_id: tenant.clientId, role: 'reviewer' })
    expect((await reviewer.send('dashboardEndUserList', {})).status).toBe(200)
    const closed = [
      ['dashboardTransferList', {}],
      ['dashboardTransferGet', { transfer_id: 'x' }],
      ['dashboardWalletList', {}],
      ['dashboardWalletGet', { wallet_id: 'x' }],
      ['dashboardReportList', {}],
      ['dashboardReportGet', { asset_report_id: 'x' }],
      ['dashboardInstitutionList', {}],
      ['dashboardInstitutionGet', { institution_id: 'x' }],
    ] as const
    for (const [id, body] of closed) expect((await reviewer.send(id, body)).status).toBe(403)
  })
})

describe('a cursor', () => {
  test.each([
    'dashboardTransferList',
    'dashboardWalletList',
    'dashboardReportList',
    'dashboardEndUserList',
    'dashboardInstitutionList',
  ] as const)('of another list is rejected by %s', async (id) => {
    const cursor = Buffer.from('audit:0:x').toString('base64url')
    expect(await browser.send(id, { cursor })).toMatchObject({
      status: 400,
      body: { error_code: 'INVALID_FIELD' },
    })
  })
})

describe('sandboxReset', () => {
  test('leaves the audit log of the client as it is', async () => {
    const admin = await signIn(service, { client_id: tenant.clientId, role: 'admin' })
    const before = await admin.ask('dashboardAuditList', {})
    expect(before.entries.length).toBeGreaterThan(1)
    await tenant.control('sandboxReset', {})
    const after = await signIn(service, { client_id: tenant.clientId, role: 'admin' })
    const { entries } = await after.ask('dashboardAuditList', {})
    const kept = entries.map(({ audit_id }) => audit_id)
    expect(kept).toEqual(expect.arrayContaining(before.entries.map(({ audit_id }) => audit_id)))
  })
})
