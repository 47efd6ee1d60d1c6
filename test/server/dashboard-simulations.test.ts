import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type DashboardBrowser, signIn } from '../support/dashboard-browser.ts'
import { start } from '../support/identity-verification-fixtures.ts'
import { link } from '../support/items-fixtures.ts'
import { startWorld, type Tenant, type TestService } from '../support/service.ts'
import { createTransfer, readTransfer, simulate } from '../support/transfers-fixtures.ts'

let service: TestService
let tenant: Tenant
let browser: DashboardBrowser
let stranger: DashboardBrowser
beforeAll(async () => {
  service = await startWorld()
})
afterAll(() => service.close())
beforeEach(async () => {
  const other = await service.tenant()
  tenant = await service.tenant()
  browser = await signIn(service, { client_id: tenant.clientId, role: 'developer' })
  stranger = await signIn(service, { client_id: other.clientId, role: 'admin' })
})

const notFound = { status: 404, body: { error_code: 'OBJECT_NOT_FOUND' } }
const invalid = { status: 400, body: { error_code: 'INVALID_FIELD' } }

/** What the audit log says of an action. */
async function details(action: string): Promise<unknown[]> {
  const admin = await signIn(service, { client_id: tenant.clientId, role: 'admin' })
  const { entries } = await admin.ask('dashboardAuditList', { action })
  return entries.map((entry) => JSON.parse(entry.details))
}

describe('dashboardTransferSimulate', () => {
  test('does each event that the page offers, until none is left', async () => {
    const { id: transfer_id } = await createTransfer(tenant)
    const seen = []
    for (;;) {
      const { next_events } = await browser.ask('dashboardTransferGet', { transfer_id })
      const [event_type] = next_events
      if (event_type === undefined || event_type === 'pending') break
      const asked = { transfer_id, event_type }
      expect((await browser.send('dashboardTransferSimulate', asked)).status).toBe(200)
      seen.push(event_type)
    }
    expect(seen).toEqual(['posted', 'settled', 'funds_available', 'returned'])
    expect((await readTransfer(tenant, transfer_id)).status).toBe('returned')
    expect((await details('transfer.simulate')).at(-1)).toMatchObject({
      before: 'pending',
      after: 'posted',
    })
  })

  test('keeps the code of a return', async () => {
    const { id: transfer_id } = await createTransfer(tenant)
    await simulate(tenant, transfer_id, 'posted')
    const body = { transfer_id, event_type: 'returned', failure_code: 'R03' } as const
    await browser.ask('dashboardTransferSimulate', body)
    const { failure_code } = await browser.ask('dashboardTransferGet', { transfer_id })
    expect(failure_code).toBe('R03')
  })

  test('rejects an event that the status does not allow, and the transfer of another client', async () => {
    const { id: transfer_id } = await createTransfer(tenant)
    const body = { transfer_id, event_type: 'settled' }
    expect(await browser.send('dashboardTransferSimulate', body)).toMatchObject(invalid)
    const posted = { transfer_id, event_type: 'posted' }
    expect(await stranger.send('dashboardTransferSimulate', posted)).toMatchObject(notFound)
  })
})

describe('dashboardSweepSimulate', () => {
  test('sets the sweep status of a transfer', async () => {
    const { id: transfer_id } = await createTransfer(tenant)
    const body = { transfer_id, sweep_status: 'swept' } as const
    expect(await stranger.send('dashboardSweepSimulate', body)).toMatchObject(notFound)
    await browser.ask('dashboardSweepSimulate', body)
    const { transfer } = await browser.ask('dashboardTransferGet', { transfer_id })
    expect(transfer.sweep_status).toBe('swept')
  })
})

/** A settled transfer with a pending refund. */
async function refunded(): Promise<{ transfer_id: string; refund_id: string }> {
  const { id: transfer_id } = await createTransfer(tenant)
  await simulate(tenant, transfer_id, 'posted', 'settled')
  const { refund_id } = await browser.ask('dashboardRefundCreate', { transfer_id, amount: '45.00' })
  return { transfer_id, refund_id }
}

describe('dashboardRefundCreate', () => {
  test('creates a pending refund', async () => {
    const { transfer_id, refund_id } = await refunded()
    const { refunds } = await browser.ask('dashboardTransferGet', { transfer_id })
    expect(refunds).toMatchObject([{ refund_id, amount: '45.00', status: 'pending' }])
  })

  test('rejects more than is left, and the transfer of another client', async () => {
    const { transfer_id } = await refunded()
    const more = { transfer_id, amount: '200.11' }
    expect(await browser.send('dashboardRefundCreate', more)).toMatchObject(invalid)
    const some = { transfer_id, amount: '1.00' }
    expect(await stranger.send('dashboardRefundCreate', some)).toMatchObject(notFound)
  })
})

describe('dashboardRefundSimulate', () => {
  test('does each event that the page offers', async () => {
    const { transfer_id, refund_id } = await refunded()
    const seen = []
    for (;;) {
      const { refunds } = await browser.ask('dashboardTransferGet', { transfer_id })
      const event_type = refunds[0]?.next_events[0]
      if (event_type === undefined || event_type === 'pending') break
      const asked = { refund_id, event_type }
      expect((await browser.send('dashboardRefundSimulate', asked)).status).toBe(200)
      seen.push(event_type)
    }
    expect(seen).toEqual(['posted', 'settled', 'returned'])
  })

  test('does not find the refund of another client', async () => {
    const { refund_id } = await refunded()
    const body = { refund_id, event_type: 'posted' }
    expect(await stranger.send('dashboardRefundSimulate', body)).toMatchObject(notFound)
  })
})

async function bankTransfer(owner: Tenant): Promise<string> {
  const { access_token } = await link(owner, { initial_products: ['auth'] })
  const { accounts } = await owner.api.accountsGet({ access_token }).orThrow()
  const account_id = accounts.find(({ subtype }) => subtype === 'checking')?.account_id ?? ''
  const asked = { account_id, type: 'debit', amount: '12.34' } as const
  return (await owner.control('sandboxBankTransferCreate', asked)).bank_transfer_id
}

describe('dashboardBankTransferList', () => {
  test('shows each bank transfer once, as its latest event tells it', async () => {
    const [first, second] = [await bankTransfer(tenant), await bankTransfer(tenant)]
    await browser.ask('dashboardBankTransferSimulate', {
      bank_transfer_id: first,
      event_type: 'posted',
    })
    const one = await browser.ask('dashboardBankTransferList', { count: 1 })
    expect(one.bank_transfers).toMatchObject([
      {
        bank_transfer_id: first,
        status: 'posted',
        amount: '12.34',
        currency: 'USD',
        next_events: ['reversed'],
      },
    ])
    const two = await browser.ask('dashboardBankTransferList', { cursor: one.next_cursor })
    expect(two).toMatchObject({
      bank_transfers: [{ bank_transfer_id: second, status: 'pending' }],
      next_cursor: null,
    })
    expect((await stranger.ask('dashboardBankTransferList', {})).bank_transfers).toEqual([])
  })
})

describe('dashboardBankTransferSimulate', () => {
  test('adds an event with its reason', async () => {
    const bank_transfer_id = await bankTransfer(tenant)
    const happen = (event_type: 'posted' | 'reversed', failure_code?: string) =>
      browser.ask('dashboardBankTransferSimulate', {
        bank_transfer_id,
        event_type,
        ...(failure_code === undefined ? {} : { failure_code }),
      })
    await happen('posted')
    await happen('reversed', 'R03')
    const { bank_transfer_events: events } = await tenant.api
      .bankTransferEventSync({ after_id: 0 })
      .orThrow()
    expect(events.map(({ event_type }) => event_type)).toEqual(['pending', 'posted', 'reversed'])
    expect(events.at(-1)?.failure_reason?.ach_return_code).toBe('R03')
    const again = { bank_transfer_id, event_type: 'posted' }
    expect(await browser.send('dashboardBankTransferSimulate', again)).toMatchObject(invalid)
    expect(await stranger.send('dashboardBankTransferSimulate', again)).toMatchObject(notFound)
  })
})

const wallet = async () =>
  (await tenant.api.walletCreate({ iso_currency_code: 'GBP' }).orThrow()).wallet_id

describe('dashboardWalletSimulate', () => {
  test('sets status and balance', async () => {
    const wallet_id = await wallet()
    const balance = { current: 3120.5, available: 2980.25 }
    await browser.ask('dashboardWalletSimulate', { wallet_id, status: 'ACTIVE', balance })
    const { wallet: shown } = await browser.ask('dashboardWalletGet', { wallet_id })
    expect(shown).toMatchObject({ status: 'ACTIVE', ...balance })
    expect(await details('wallet.simulate')).toMatchObject([{ after: balance }])
  })

  test('rejects more available than current, and the wallet of another client', async () => {
    const wallet_id = await wallet()
    const body = { wallet_id, balance: { current: 1, available: 2 } }
    expect(await browser.send('dashboardWalletSimulate', body)).toMatchObject(invalid)
    const closed = { wallet_id, status: 'CLOSED' }
    expect(await stranger.send('dashboardWalletSimulate', closed)).toMatchObject(notFound)
  })
})

describe('dashboardWalletTransactionCreate', () => {
  test('moves money in and out, as long as there is enough', async () => {
    const wallet_id = await wallet()
    await browser.ask('dashboardWalletSimulate', { wallet_id, status: 'ACTIVE' })
    const move = (amount: number, asker = browser) =>
      asker.send('dashboardWalletTransactionCreate', { wallet_id, amount })
    expect((await move(100)).status).toBe(200)
    expect((await move(-60)).status).toBe(200)
    expect(await move(-60)).toMatchObject(invalid)
    expect(await move(1, stranger)).toMatchObject(notFound)
    const { wallet: shown } = await browser.ask('dashboardWalletGet', { wallet_id })
    expect(shown.available).toBe(40)
  })
})

describe('dashboardVerificationAdvance', () => {
  test('ends the active step, and asks for the revision that the page shows', async () => {
    const { id: identity_verification_id } = await start(tenant)
    const read = () => browser.ask('dashboardVerificationGet', { identity_verification_id })
    const before = await read()
    const { revision } = before
    const body = { identity_verification_id, revision, outcome: 'success' } as const
    const advanced = await browser.ask('dashboardVerificationAdvance', body)
    expect(advanced).toMatchObject({ status: 'active', revision: revision + 1 })
    const after = await read()
    expect(after.verification.steps.verify_sms).toBe('success')
    expect(await browser.send('dashboardVerificationAdvance', body)).toMatchObject({
      status: 409,
      body: { error_code: 'VERIFICATION_CHANGED' },
    })
    expect(await stranger.send('dashboardVerificationAdvance', body)).toMatchObject(notFound)
  })

  test('ends a named step', async () => {
    const { id: identity_verification_id } = await start(tenant)
    const { revision } = await browser.ask('dashboardVerificationGet', { identity_verification_id })
    const { status } = await browser.ask('dashboardVerificationAdvance', {
      identity_verification_id,
      revision,
      step: 'documentary_verification',
      outcome: 'failed',
    })
    expect(status).toBe('failed')
  })
})

describe('dashboardTransactionCreate', () => {
  test('adds a transaction of today to the Item', async () => {
    const { item_id, access_token } = await link(tenant, { initial_products: ['transactions'] })
    const statusOf = async () =>
      (await tenant.api.transactionsSync({ access_token }).orThrow()).transactions_update_status
    await expect.poll(statusOf, { timeout: 10_000 }).toBe('HISTORICAL_UPDATE_COMPLETE')
    const input = { item_id, amount: 12.5, description: 'Corner bakery' }
    const { transaction_id } = await browser.ask('dashboardTransactionCreate', input)
    const { transactions } = await browser.ask('dashboardItemTransactionList', { item_id })
    expect(transactions.find((row) => row.transaction_id === transaction_id)).toMatchObject({
      name: 'Corner bakery',
      amount: 12.5,
      pending: false,
    })
    expect(await stranger.send('dashboardTransactionCreate', input)).toMatchObject(notFound)
  })
})

describe('simulations', () => {
  const all = [
    ['dashboardTransferSimulate', { transfer_id: 'none', event_type: 'posted' }],
    ['dashboardSweepSimulate', { transfer_id: 'none', sweep_status: 'swept' }],
    ['dashboardRefundCreate', { transfer_id: 'none', amount: '1.00' }],
    ['dashboardRefundSimulate', { refund_id: 'none', event_type: 'posted' }],
    ['dashboardBankTransferSimulate', { bank_transfer_id: 'none', event_type: 'posted' }],
    ['dashboardWalletSimulate', { wallet_id: 'none' }],
    ['dashboardWalletTransactionCreate', { wallet_id: 'none', amount: 1 }],
    [
      'dashboardVerificationAdvance',
      { identity_verification_id: 'none', revision: 0, outcome: 'success' },
    ],
    ['dashboardTransactionCreate', { item_id: 'none', amount: 1, description: 'Rent' }],
  ] as const

  test.each(all)('%s is for developers and admins', async (id, body) => {
    const statusFor = async (role: 'reviewer' | 'developer' | 'admin') =>
      (await (await signIn(service, { client_id: tenant.clientId, role })).send(id, body)).status
    expect(await statusFor('reviewer')).toBe(403)
    expect(await statusFor('developer')).toBe(404)
    expect(await statusFor('admin')).toBe(404)
  })
})
