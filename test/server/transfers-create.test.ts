import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startService, type TestService } from '../support/service.ts'
import {
  createTransfer,
  debit,
  errorOf,
  invalidField,
  migrateAccount,
  wire,
} from '../support/transfers-fixtures.ts'

let service: TestService

beforeAll(async () => {
  // A Monday, 11:20 AM in New York.
  service = await startService({ clock: () => Date.parse('2026-03-09T15:20:00Z') })
})
afterAll(() => service.close())

describe('sandboxTransferCreate', () => {
  test('makes an authorized ACH debit with what can be expected of it', async () => {
    const tenant = await service.tenant()
    const { access_token, account_id } = await migrateAccount(tenant)
    const address = { street: null, city: 'Larkspur Falls', country: 'US' }
    const { transfer } = await tenant.control('sandboxTransferCreate', {
      ...debit,
      access_token,
      account_id,
      user: { legal_name: 'Maren Talvik', email_address: 'maren.talvik@example.com', address },
      metadata: { loan_id: 'loan-2026-0117' },
      guarantee_decision: 'NOT_GUARANTEED',
      recurring_transfer_id: 'f02cc7e4-3a71-4b5e-8ac9-6b7dc7cd0d19',
    })
    expect(transfer).toEqual({
      id: expect.any(String),
      authorization_id: expect.any(String),
      ach_class: 'web',
      account_id,
      funding_account_id: expect.any(String),
      ledger_id: expect.any(String),
      type: 'debit',
      user: {
        legal_name: 'Maren Talvik',
        phone_number: null,
        email_address: 'maren.talvik@example.com',
        address: {
          street: null,
          city: 'Larkspur Falls',
          region: null,
          postal_code: null,
          country: 'US',
        },
      },
      amount: '245.10',
      description: 'Loan payment 1',
      created: '2026-03-09T15:20:00Z',
      status: 'pending',
      sweep_status: 'unswept',
      network: 'ach',
      wire_details: null,
      cancellable: true,
      failure_reason: null,
      metadata: { loan_id: 'loan-2026-0117' },
      origination_account_id: '',
      guarantee_decision: 'NOT_GUARANTEED',
      guarantee_decision_rationale: {
        code: 'RISK_ESTIMATE_UNAVAILABLE',
        description: expect.any(String),
      },
      iso_currency_code: 'USD',
      standard_return_window: null,
      unauthorized_return_window: null,
      expected_settlement_date: '2026-03-11',
      expected_funds_available_date: '2026-03-18',
      originator_client_id: null,
      refunds: [],
      recurring_transfer_id: 'f02cc7e4-3a71-4b5e-8ac9-6b7dc7cd0d19',
      expected_sweep_settlement_schedule: [
        { sweep_settlement_date: '2026-03-19', swept_settled_amount: '245.10' },
      ],
      credit_funds_source: null,
      network_trace_id: null,
    })
  })

  test('makes a wire with its details and neither class nor schedule', async () => {
    const tenant = await service.tenant()
    const transfer = await createTransfer(tenant, {
      ...wire,
      ach_class: undefined as never,
      wire_details: { message_to_beneficiary: 'Loan 2026-0117 paid out' },
    })
    expect(transfer).toMatchObject({
      network: 'wire',
      sweep_status: null,
      wire_details: { message_to_beneficiary: 'Loan 2026-0117 paid out', wire_return_fee: null },
      expected_settlement_date: '2026-03-09',
      expected_funds_available_date: null,
    })
    expect(transfer).not.toHaveProperty('ach_class')
    expect(transfer).not.toHaveProperty('expected_sweep_settlement_schedule')
  })

  test('uses the same accounts of a client again, and others for another client', async () => {
    const [tenant, other] = [await service.tenant(), await service.tenant()]
    const [first, second] = [await createTransfer(tenant), await createTransfer(tenant)]
    const foreign = await createTransfer(other)
    expect(second.funding_account_id).toBe(first.funding_account_id)
    expect(second.ledger_id).toBe(first.ledger_id)
    expect(
      new Set([first, foreign].flatMap((one) => [one.ledger_id, one.funding_account_id])).size,
    ).toBe(4)
  })

  test('sends a late same-day transfer over standard rails', async () => {
    const tenant = await service.tenant()
    const inTime = await createTransfer(tenant, { network: 'same-day-ach' })
    await tenant.control('sandboxClockAdvance', { to: '2026-03-09T19:30:01Z' })
    const late = await createTransfer(tenant, { network: 'same-day-ach' })
    expect(inTime).toMatchObject({
      network: 'same-day-ach',
      expected_settlement_date: '2026-03-09',
    })
    expect(late).toMatchObject({ network: 'ach', expected_settlement_date: '2026-03-11' })
  })

  test('rejects an account that is unknown, foreign, closed or on a removed Item', async () => {
    const [tenant, other] = [await service.tenant(), await service.tenant()]
    const foreign = await migrateAccount(other)
    const closed = await migrateAccount(tenant)
    const removed = await migrateAccount(tenant)
    await service.service.database.transaction(async ({ run }) => {
      await run('update accounts set closed = 1 where account_id = $1', [closed.account_id])
      await run(
        `update items set removed_at = '2026-03-09T00:00:00Z' where item_id =
           (select item_id from accounts where account_id = $1)`,
        [removed.account_id],
      )
    })
    const codeOf = async (account_id: string) =>
      (await errorOf(tenant, '/sandbox/transfer/create', { ...debit, account_id })).code
    expect(await codeOf('unknown')).toBe('INVALID_ACCOUNT_ID')
    expect(await codeOf(foreign.account_id)).toBe('INVALID_ACCOUNT_ID')
    expect(await codeOf(closed.account_id)).toBe('INVALID_ACCOUNT_ID')
    expect(await codeOf(removed.account_id)).toBe('INVALID_ACCOUNT_ID')
    const { body } = await tenant.post('/sandbox/transfer/create', { ...debit, account_id: 'no' })
    expect(body['error_message']).toContain('`account_id`')
  })

  test('rejects an account on another Item than the named one, and an unknown token', async () => {
    const tenant = await service.tenant()
    const [one, two] = [await migrateAccount(tenant), await migrateAccount(tenant)]
    const codeOf = async (access_token: string) => {
      const body = { ...debit, account_id: one.account_id, access_token }
      return (await errorOf(tenant, '/sandbox/transfer/create', body)).code
    }
    expect(await codeOf(two.access_token)).toBe('INVALID_ACCOUNT_ID')
    expect(await codeOf('access-sandbox-00000000-0000-4000-8000-00000000ffff')).toBe(
      'INVALID_ACCESS_TOKEN',
    )
  })

  test('rejects an originator that is no other client', async () => {
    const tenant = await service.tenant()
    const { account_id } = await migrateAccount(tenant)
    const codeOf = async (originator_client_id: string) => {
      const body = { ...debit, account_id, originator_client_id }
      return (await errorOf(tenant, '/sandbox/transfer/create', body)).code
    }
    expect(await codeOf('nobody')).toBe('TRANSFER_ORIGINATOR_NOT_FOUND')
    expect(await codeOf(tenant.clientId)).toBe('TRANSFER_ORIGINATOR_NOT_FOUND')
  })

  test('rejects a wire to a migrated account that has no routing number for wires', async () => {
    const tenant = await service.tenant()
    const { account_id } = await migrateAccount(tenant, {})
    const body = { ...wire, account_id }
    const rejected = await errorOf(tenant, '/sandbox/transfer/create', body)
    expect(rejected).toEqual(invalidField('network'))
  })

  test.each([
    ['a wire debit', { ...wire, type: 'debit' }],
    ['a wire above its cap', { ...wire, amount: '1000000.00' }],
    [
      'a same-day transfer above its cap',
      { ...debit, network: 'same-day-ach', amount: '1000000.01' },
    ],
    ['an ACH transfer above its cap', { ...debit, amount: '10000000.01' }],
    ['a credit of class web', { ...debit, type: 'credit' }],
    ['a debit of class ppd', { ...debit, ach_class: 'ppd' }],
    ['a class by RTP', { ...debit, network: 'rtp' }],
    ['wire details by ACH', { ...debit, wire_details: {} }],
    ['a value of metadata that is not ASCII', { ...debit, metadata: { note: 'é' } }],
    ['an amount of nothing', { ...debit, amount: '0.00' }],
  ])('rejects %s', async (_, order) => {
    const tenant = await service.tenant()
    const { account_id } = await migrateAccount(tenant)
    const rejected = await errorOf(tenant, '/sandbox/transfer/create', { ...order, account_id })
    expect(rejected.code).toBe('INVALID_FIELD')
  })
})
