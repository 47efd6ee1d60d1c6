import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SandboxRefundEventType } from '../../generated/sandbox/types.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'
import {
  createTransfer,
  errorOf,
  invalidField,
  readTransfer,
  simulate,
} from '../support/transfers-fixtures.ts'

let service: TestService

beforeAll(async () => {
  service = await startService({ clock: () => Date.parse('2026-03-09T15:20:00Z') })
})
afterAll(() => service.close())

const refundOf = async (tenant: Tenant, transfer_id: string, amount: string) =>
  (await tenant.control('sandboxTransferRefundCreate', { transfer_id, amount })).refund

const move = (tenant: Tenant, refund_id: string, event_type: SandboxRefundEventType) =>
  tenant.control('sandboxTransferRefundSimulate', { refund_id, event_type })

describe('sandboxTransferRefundCreate', () => {
  const path = '/sandbox/transfer/refund/create'

  test('makes a pending refund that the transfer lists', async () => {
    const tenant = await service.tenant()
    const { id, ledger_id } = await createTransfer(tenant)
    const refund = await refundOf(tenant, id, '45.00')
    expect(refund).toEqual({
      id: expect.any(String),
      transfer_id: id,
      amount: '45.00',
      status: 'pending',
      failure_reason: null,
      ledger_id,
      created: '2026-03-09T15:20:00Z',
      network_trace_id: null,
    })
    const second = await refundOf(tenant, id, '1.05')
    expect((await readTransfer(tenant, id)).refunds).toEqual([refund, second])
  })

  test('rejects more than is left of the transfer', async () => {
    const tenant = await service.tenant()
    const { id: transfer_id } = await createTransfer(tenant)
    await refundOf(tenant, transfer_id, '200.00')
    const over = { transfer_id, amount: '45.11' }
    expect(await errorOf(tenant, path, over)).toEqual(invalidField('amount'))
    expect((await refundOf(tenant, transfer_id, '45.10')).amount).toBe('45.10')
  })

  test.each(['cancelled', 'failed'] as const)('does not count a refund that %s', async (status) => {
    const tenant = await service.tenant()
    const { id } = await createTransfer(tenant)
    const refund = await refundOf(tenant, id, '245.10')
    await move(tenant, refund.id, status)
    expect((await refundOf(tenant, id, '245.10')).status).toBe('pending')
  })

  test('rejects a credit, an unknown transfer and one whose money never came', async () => {
    const tenant = await service.tenant()
    const credit = await createTransfer(tenant, { type: 'credit', ach_class: 'ppd' })
    const failed = await createTransfer(tenant)
    await simulate(tenant, failed.id, 'failed')
    for (const transfer_id of [credit.id, failed.id, 'unknown']) {
      const rejected = await errorOf(tenant, path, { transfer_id, amount: '1.00' })
      expect(rejected).toEqual(invalidField('transfer_id'))
    }
  })

  test('lets one of two refunds at once take what is left', async () => {
    const tenant = await service.tenant()
    const { id: transfer_id } = await createTransfer(tenant)
    const create = () => tenant.post(path, { transfer_id, amount: '200.00' })
    const answers = await Promise.all([create(), create()])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
    expect((await readTransfer(tenant, transfer_id)).refunds).toHaveLength(1)
  })
})

describe('sandboxTransferRefundSimulate', () => {
  const events = ['posted', 'settled', 'cancelled', 'failed', 'returned'] as const
  type Path = (typeof events)[number][]
  const paths: [Path, Path][] = [
    [[], ['posted', 'failed', 'cancelled']],
    [['posted'], ['settled', 'returned']],
    [['posted', 'settled'], ['returned']],
    [['cancelled'], []],
    [['failed'], []],
    [['posted', 'returned'], []],
  ]

  test.each(paths)('after %j allows %j and nothing else', async (path, followers) => {
    const tenant = await service.tenant()
    const { id: transfer_id } = await createTransfer(tenant)
    await simulate(tenant, transfer_id, 'posted', 'settled')
    const possible: string[] = []
    for (const event_type of events) {
      const { id: refund_id } = await refundOf(tenant, transfer_id, '1.00')
      for (const event of path) await move(tenant, refund_id, event)
      const body = { refund_id, event_type: `refund.${event_type}` }
      const { status, body: answer } = await tenant.post('/sandbox/transfer/refund/simulate', body)
      if (status === 200) possible.push(event_type)
      expect(answer['error_code']).toBe(status === 200 ? undefined : 'INVALID_FIELD')
    }
    expect(possible.sort()).toEqual([...followers].sort())
  })

  test('posts a refund only once its transfer has settled', async () => {
    const tenant = await service.tenant()
    const { id: transfer_id } = await createTransfer(tenant)
    const { id: refund_id } = await refundOf(tenant, transfer_id, '45.00')
    await simulate(tenant, transfer_id, 'posted')
    const body = { refund_id, event_type: 'posted' }
    const rejected = await errorOf(tenant, '/sandbox/transfer/refund/simulate', body)
    expect(rejected).toEqual(invalidField('event_type'))
    await simulate(tenant, transfer_id, 'settled', 'funds_available')
    await move(tenant, refund_id, 'posted')
    const [refund] = (await readTransfer(tenant, transfer_id)).refunds
    expect(refund).toMatchObject({
      status: 'posted',
      network_trace_id: expect.stringMatching(/^\d{15}$/),
    })
  })

  test('says why a refund came back or failed', async () => {
    const tenant = await service.tenant()
    const { id: transfer_id } = await createTransfer(tenant)
    await simulate(tenant, transfer_id, 'posted', 'settled')
    const [returned, failed] = [
      await refundOf(tenant, transfer_id, '45.00'),
      await refundOf(tenant, transfer_id, '45.00'),
    ]
    await move(tenant, returned.id, 'posted')
    await move(tenant, returned.id, 'returned')
    await tenant.control('sandboxTransferRefundSimulate', {
      refund_id: failed.id,
      event_type: 'failed',
      failure_reason: { failure_code: 'R02', description: 'The file was rejected.' },
    })
    const { refunds } = await readTransfer(tenant, transfer_id)
    expect(refunds.map((refund) => refund.failure_reason)).toEqual([
      { failure_code: 'R02', ach_return_code: 'R02', description: 'The account is closed.' },
      { failure_code: null, ach_return_code: null, description: 'The file was rejected.' },
    ])
  })

  test('rejects a refund of another client', async () => {
    const [tenant, other] = [await service.tenant(), await service.tenant()]
    const { id } = await createTransfer(tenant)
    const { id: refund_id } = await refundOf(tenant, id, '45.00')
    const body = { refund_id, event_type: 'cancelled' }
    const rejected = await errorOf(other, '/sandbox/transfer/refund/simulate', body)
    expect(rejected).toEqual(invalidField('refund_id'))
  })
})
