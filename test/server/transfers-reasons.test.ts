import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startService, type TestService } from '../support/service.ts'
import {
  createTransfer,
  migrateAccount,
  type Order,
  readTransfer,
  simulate,
} from '../support/transfers-fixtures.ts'

// The codes that come back are those of NACHA's list; on other networks there is one for a closed account.

let service: TestService

beforeAll(async () => {
  service = await startService({ clock: () => Date.parse('2026-03-09T15:20:00Z') })
})
afterAll(() => service.close())

const credit: Partial<Order> = { type: 'credit', ach_class: 'ppd' }
const instant: Partial<Order> = { network: 'rtp', ach_class: undefined as never }

/** The transfer once it came back with a reason. */
async function returned(order: Partial<Order>, failure_reason: object | null, after?: string) {
  const tenant = await service.tenant()
  const { id: transfer_id } = await createTransfer(tenant, order)
  await simulate(tenant, transfer_id, 'posted', 'settled')
  if (after) await tenant.control('sandboxClockAdvance', { to: after })
  const event = { transfer_id, event_type: 'returned' as const, failure_reason }
  await tenant.control('sandboxTransferSimulate', event)
  return readTransfer(tenant, transfer_id)
}

describe('a transfer that comes back', () => {
  const late = '2026-03-13T04:00:00Z'

  test.each([
    ['a debit', {}, 'R10'],
    ['a credit', credit, 'R23'],
  ])('after the standard window has a reason that %s may still have', async (_, order, code) => {
    const { failure_reason } = await returned(order, null, late)
    expect(failure_reason?.failure_code).toBe(code)
  })

  test.each([
    ...['R01', 'R02', 'R03', 'R04', 'R05', 'R06', 'R07', 'R08', 'R09', 'R10', 'R11', 'R16', 'R20'],
    ...['R23', 'R29'],
  ])('with %s says in words what the code means', async (failure_code) => {
    const { failure_reason } = await returned({}, { failure_code })
    expect(failure_reason?.description).toMatch(/^(The|A) [a-z ]+\.$/)
  })

  test('with another code names it', async () => {
    const { failure_reason } = await returned({}, { failure_code: 'R82' })
    expect(failure_reason?.description).toContain('R82')
  })

  test.each(['R00', 'R83', 'R1', 'R011', 'XR01', 'R0A', 'R90'])(
    'cannot have the code %s',
    async (code) => {
      await expect(returned({}, { failure_code: code })).rejects.toThrow('from R01 to R82')
    },
  )
})

test('a failure without a reason has one in words', async () => {
  const tenant = await service.tenant()
  const { id } = await createTransfer(tenant)
  await simulate(tenant, id, 'failed')
  const { failure_reason } = await readTransfer(tenant, id)
  expect(failure_reason).toMatchObject({ failure_code: null })
  expect(failure_reason?.description).toMatch(/^The [a-z ]+\.$/)
})

describe('a refund', () => {
  async function refundAfter(
    order: Partial<Order>,
    ...events: ('posted' | 'settled' | 'returned')[]
  ) {
    const tenant = await service.tenant()
    const { id: transfer_id } = await createTransfer(tenant, order)
    await simulate(tenant, transfer_id, 'posted', 'settled')
    const body = { transfer_id, amount: '45.00' }
    const { refund } = await tenant.control('sandboxTransferRefundCreate', body)
    for (const event_type of events) {
      await tenant.control('sandboxTransferRefundSimulate', { refund_id: refund.id, event_type })
    }
    return (await readTransfer(tenant, transfer_id)).refunds[0]
  }

  test('has no reason for a failure once it has settled', async () => {
    const refund = await refundAfter({}, 'posted', 'settled')
    expect(refund).toMatchObject({ status: 'settled', failure_reason: null })
  })

  test('of a real-time payment comes back with the code of its network', async () => {
    const refund = await refundAfter(instant, 'posted', 'returned')
    expect(refund?.failure_reason?.failure_code).toBe('AC04')
  })
})

describe('a new transfer', () => {
  test('keeps the address of its user', async () => {
    const tenant = await service.tenant()
    const address = { street: '18 Juniper Lane', city: 'Larkspur Falls', region: 'OR' }
    const user = { legal_name: 'Maren Talvik', address }
    const transfer = await createTransfer(tenant, { user })
    expect(transfer.user.address).toEqual({ ...address, postal_code: null, country: null })
  })

  test('moves between two accounts of its client, which are not the same', async () => {
    const tenant = await service.tenant()
    const [one, other] = [await createTransfer(tenant), await createTransfer(tenant)]
    expect(one.funding_account_id).not.toBe(one.ledger_id)
    expect(other).toMatchObject({
      funding_account_id: one.funding_account_id,
      ledger_id: one.ledger_id,
    })
  })

  test('says why it is not guaranteed', async () => {
    const tenant = await service.tenant()
    const { account_id } = await migrateAccount(tenant)
    const order = { account_id, guarantee_decision: 'NOT_GUARANTEED' as const }
    const { guarantee_decision_rationale } = await createTransfer(tenant, order as Partial<Order>)
    expect(guarantee_decision_rationale).toEqual({
      code: 'RISK_ESTIMATE_UNAVAILABLE',
      description: expect.stringMatching(/^Too little is known .+\.$/),
    })
  })
})
