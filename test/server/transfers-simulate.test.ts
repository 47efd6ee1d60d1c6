import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startService, type TestService } from '../support/service.ts'
import {
  createTransfer,
  errorOf,
  invalidField,
  readTransfer,
  simulate,
  wire,
} from '../support/transfers-fixtures.ts'

let service: TestService

beforeAll(async () => {
  // A Monday, 11:20 AM in New York.
  service = await startService({ clock: () => Date.parse('2026-03-09T15:20:00Z') })
})
afterAll(() => service.close())

const networks = [
  ['ach', 'debit', 'web'],
  ['ach', 'credit', 'ppd'],
  ['same-day-ach', 'debit', 'tel'],
  ['same-day-ach', 'credit', 'ccd'],
  ['rtp', 'debit', undefined],
  ['rtp', 'credit', undefined],
  ['wire', 'credit', undefined],
] as const

const events = ['posted', 'settled', 'funds_available', 'cancelled', 'failed', 'returned'] as const
type Path = (typeof events)[number][]

/** How each status is reached, and what may follow it. */
const paths: { path: Path; followers: Path; ofSinglePayments?: Path; ofAchDebits?: Path }[] = [
  { path: [], followers: ['posted', 'failed', 'cancelled'] },
  { path: ['posted'], followers: ['settled', 'returned'], ofSinglePayments: ['failed'] },
  { path: ['posted', 'settled'], followers: ['returned'], ofAchDebits: ['funds_available'] },
  { path: ['cancelled'], followers: [] },
  { path: ['failed'], followers: [] },
  { path: ['posted', 'returned'], followers: [] },
  { path: ['posted', 'settled', 'returned'], followers: [] },
]

describe('sandboxTransferSimulate', () => {
  test.each(networks)(
    'lets a %s %s make the moves of its status and no others',
    async (network, type, ach_class) => {
      const tenant = await service.tenant()
      const order = { network, type, ach_class: ach_class as never }
      const isAch = network.endsWith('ach')
      for (const { path, followers, ofSinglePayments = [], ofAchDebits = [] } of paths) {
        const expected = [
          ...followers,
          ...(isAch ? [] : ofSinglePayments),
          ...(isAch && type === 'debit' ? ofAchDebits : []),
        ]
        const possible: string[] = []
        for (const event_type of events) {
          const { id } = await createTransfer(tenant, order)
          await simulate(tenant, id, ...path)
          const before = await readTransfer(tenant, id)
          const body = { transfer_id: id, event_type }
          const { status, body: answer } = await tenant.post('/sandbox/transfer/simulate', body)
          const after = await readTransfer(tenant, id)
          if (status === 200) possible.push(event_type)
          expect(after.status).toBe(status === 200 ? event_type : before.status)
          expect(answer['error_code']).toBe(status === 200 ? undefined : 'INVALID_FIELD')
        }
        expect(possible.sort(), path.join(' ')).toEqual(expected.sort())
      }
    },
  )

  test('gives a number of the network once the transfer is posted', async () => {
    const tenant = await service.tenant()
    const traceBy = async (order: object) => {
      const { id } = await createTransfer(tenant, order)
      await simulate(tenant, id, 'posted')
      const { network_trace_id, cancellable } = await readTransfer(tenant, id)
      expect(cancellable).toBe(false)
      return network_trace_id
    }
    expect(await traceBy({})).toMatch(/^02100002\d{7}$/)
    expect(await traceBy({ network: 'rtp', ach_class: undefined })).toMatch(/^20260309.{25}$/)
    expect(await traceBy({ ...wire, ach_class: undefined })).toMatch(/^20260309TWLN0001\d{6}$/)
  })

  test('counts the return windows in business days from the settlement', async () => {
    const tenant = await service.tenant()
    const { id } = await createTransfer(tenant)
    await simulate(tenant, id, 'posted')
    await tenant.control('sandboxClockAdvance', { to: '2026-05-20T14:00:00Z' })
    await simulate(tenant, id, 'settled')
    expect(await readTransfer(tenant, id)).toMatchObject({
      status: 'settled',
      expected_settlement_date: '2026-05-20',
      // Memorial Day, Juneteenth and no day off for a Fourth of July on a Saturday.
      standard_return_window: '2026-05-26',
      unauthorized_return_window: '2026-08-17',
      expected_funds_available_date: '2026-05-28',
      expected_sweep_settlement_schedule: [
        { sweep_settlement_date: '2026-05-29', swept_settled_amount: '245.10' },
      ],
    })
  })

  test('reckons the settlement by the day in New York', async () => {
    const tenant = await service.tenant()
    const { id } = await createTransfer(tenant)
    await tenant.control('sandboxClockAdvance', { to: '2026-03-12T02:00:00Z' })
    await simulate(tenant, id, 'posted', 'settled')
    const { expected_settlement_date } = await readTransfer(tenant, id)
    expect(expected_settlement_date).toBe('2026-03-11')
  })

  test('gives no return windows to a wire', async () => {
    const tenant = await service.tenant()
    const { id } = await createTransfer(tenant, { ...wire, ach_class: undefined as never })
    await simulate(tenant, id, 'posted', 'settled')
    expect(await readTransfer(tenant, id)).toMatchObject({
      status: 'settled',
      standard_return_window: null,
      unauthorized_return_window: null,
    })
  })

  test('keeps why a transfer failed, without a code', async () => {
    const tenant = await service.tenant()
    const { id: transfer_id } = await createTransfer(tenant)
    await tenant.control('sandboxTransferSimulate', {
      transfer_id,
      event_type: 'failed',
      failure_reason: { failure_code: 'R03', description: 'The file was rejected.' },
    })
    expect(await readTransfer(tenant, transfer_id)).toMatchObject({
      failure_reason: {
        failure_code: null,
        ach_return_code: null,
        description: 'The file was rejected.',
      },
      sweep_status: null,
      expected_settlement_date: null,
      expected_funds_available_date: null,
      expected_sweep_settlement_schedule: [],
    })
  })

  test.each([
    ['a debit', {}, 'R01'],
    ['a credit', { type: 'credit', ach_class: 'ppd' }, 'R02'],
    ['a real-time payment', { network: 'rtp', ach_class: undefined }, 'AC04'],
  ])('chooses a common reason for the return of %s', async (_, order, code) => {
    const tenant = await service.tenant()
    const { id: transfer_id } = await createTransfer(tenant, order as object)
    await simulate(tenant, transfer_id, 'posted')
    const event = { transfer_id, event_type: 'returned' as const, failure_reason: null }
    await tenant.control('sandboxTransferSimulate', event)
    expect((await readTransfer(tenant, transfer_id)).failure_reason).toEqual({
      failure_code: code,
      ach_return_code: code,
      description: expect.stringMatching(/\.$/),
    })
  })

  test.each([
    ['failure_code', { failure_code: 'R29', ach_return_code: null }],
    ['ach_return_code', { ach_return_code: 'R29' }],
  ])('takes the code of a return from its %s', async (_, failure_reason) => {
    const tenant = await service.tenant()
    const { id: transfer_id } = await createTransfer(tenant)
    await simulate(tenant, transfer_id, 'posted')
    const event = { transfer_id, event_type: 'returned' as const, failure_reason }
    await tenant.control('sandboxTransferSimulate', event)
    expect((await readTransfer(tenant, transfer_id)).failure_reason).toMatchObject({
      failure_code: 'R29',
      ach_return_code: 'R29',
    })
  })

  test.each([
    ['no ACH return code', { failure_code: 'AC04' }],
    ['two different codes', { failure_code: 'R01', ach_return_code: 'R02' }],
  ])('rejects a return by ACH with %s', async (_, failure_reason) => {
    const tenant = await service.tenant()
    const { id: transfer_id } = await createTransfer(tenant)
    await simulate(tenant, transfer_id, 'posted')
    const body = { transfer_id, event_type: 'returned', failure_reason }
    const rejected = await errorOf(tenant, '/sandbox/transfer/simulate', body)
    expect(rejected).toEqual(invalidField('failure_reason.failure_code'))
  })

  const settled = async () => {
    const tenant = await service.tenant()
    const { id: transfer_id } = await createTransfer(tenant)
    await simulate(tenant, transfer_id, 'posted', 'settled')
    const fail = (failure_code: string) =>
      tenant.post('/sandbox/transfer/simulate', {
        transfer_id,
        event_type: 'returned',
        failure_reason: { failure_code },
      })
    return { tenant, transfer_id, fail }
  }

  test('lets a transfer come back for want of money until the standard window ends', async () => {
    const { tenant, fail } = await settled()
    // The window ends with Thursday, 2026-03-12.
    await tenant.control('sandboxClockAdvance', { to: '2026-03-13T04:00:00Z' })
    expect((await fail('R01')).body['error_code']).toBe('INVALID_FIELD')
    expect((await fail('R29')).body['error_code']).toBe('INVALID_FIELD')
    expect((await fail('R10')).status).toBe(200)
  })

  test('still takes a common code on the last day of the standard window', async () => {
    const { tenant, fail } = await settled()
    await tenant.control('sandboxClockAdvance', { to: '2026-03-13T03:59:59Z' })
    expect((await fail('R01')).status).toBe(200)
  })

  test('chooses a late reason after the standard window', async () => {
    const { tenant, transfer_id } = await settled()
    await tenant.control('sandboxClockAdvance', { to: '2026-03-20T12:00:00Z' })
    await simulate(tenant, transfer_id, 'funds_available', 'returned')
    const { failure_reason } = await readTransfer(tenant, transfer_id)
    expect(failure_reason?.failure_code).toBe('R10')
  })

  test('lets nothing come back after the unauthorized window', async () => {
    const { tenant, transfer_id, fail } = await settled()
    const { unauthorized_return_window: window } = await readTransfer(tenant, transfer_id)
    await tenant.control('sandboxClockAdvance', { to: `${window}T12:00:00Z` })
    await simulate(tenant, transfer_id, 'funds_available')
    await tenant.control('sandboxClockAdvance', { seconds: 86_400 })
    expect((await fail('R10')).body['error_code']).toBe('INVALID_FIELD')
  })

  test('forgets when the money was expected if it came back before', async () => {
    const { tenant, transfer_id } = await settled()
    await simulate(tenant, transfer_id, 'returned')
    expect(await readTransfer(tenant, transfer_id)).toMatchObject({
      expected_funds_available_date: null,
      expected_sweep_settlement_schedule: [],
      standard_return_window: '2026-03-12',
    })
  })

  test('keeps when the money was available if it came back after', async () => {
    const { tenant, transfer_id } = await settled()
    await simulate(tenant, transfer_id, 'funds_available', 'returned')
    const { expected_funds_available_date } = await readTransfer(tenant, transfer_id)
    expect(expected_funds_available_date).toBe('2026-03-16')
  })

  test('shows the fee of a returned wire, and not before', async () => {
    const tenant = await service.tenant()
    const order = { ...wire, ach_class: undefined as never }
    const { id, wire_details } = await createTransfer(tenant, {
      ...order,
      wire_details: { wire_return_fee: '25.00' },
    })
    expect(wire_details?.wire_return_fee).toBeNull()
    await simulate(tenant, id, 'posted', 'returned')
    expect((await readTransfer(tenant, id)).wire_details?.wire_return_fee).toBe('25.00')
  })

  test('rejects to cancel what was handed to the network', async () => {
    const tenant = await service.tenant()
    const { id: transfer_id } = await createTransfer(tenant)
    await tenant.control('sandboxClockAdvance', { to: '2026-03-10T00:30:00Z' })
    const body = { transfer_id, event_type: 'cancelled' }
    const rejected = await errorOf(tenant, '/sandbox/transfer/simulate', body)
    expect(rejected).toEqual(invalidField('event_type'))
  })

  test('rejects a transfer of another client, and ignores unknown fields', async () => {
    const [tenant, other] = [await service.tenant(), await service.tenant()]
    const { id: transfer_id } = await createTransfer(tenant)
    const body = { transfer_id, event_type: 'posted', test_clock_id: null }
    const rejected = await errorOf(other, '/sandbox/transfer/simulate', body)
    expect(rejected).toEqual(invalidField('transfer_id'))
    expect((await tenant.post('/sandbox/transfer/simulate', body)).status).toBe(200)
  })

  test('lets one of two moves at once happen', async () => {
    const tenant = await service.tenant()
    const { id: transfer_id } = await createTransfer(tenant)
    const move = (event_type: string) =>
      tenant.post('/sandbox/transfer/simulate', { transfer_id, event_type })
    const answers = await Promise.all([move('posted'), move('posted'), move('cancelled')])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400])
  })
})

describe('sandboxTransferSweepSimulate', () => {
  const sweep = (transfer_id: string, sweep_status: string) => ({ transfer_id, sweep_status })

  test.each(['swept', 'swept_settled', 'unswept', 'return_swept'] as const)(
    'sets %s at once',
    async (sweep_status) => {
      const tenant = await service.tenant()
      const { id: transfer_id } = await createTransfer(tenant)
      await simulate(tenant, transfer_id, 'posted')
      await tenant.control('sandboxTransferSweepSimulate', { transfer_id, sweep_status })
      expect((await readTransfer(tenant, transfer_id)).sweep_status).toBe(sweep_status)
    },
  )

  test.each([
    ['swept', 'return_swept'],
    ['swept_settled', 'return_swept'],
    ['unswept', null],
  ] as const)('lets a return turn %s into %s', async (sweep_status, after) => {
    const tenant = await service.tenant()
    const { id: transfer_id } = await createTransfer(tenant)
    await simulate(tenant, transfer_id, 'posted', 'settled')
    await tenant.control('sandboxTransferSweepSimulate', { transfer_id, sweep_status })
    await simulate(tenant, transfer_id, 'returned')
    expect((await readTransfer(tenant, transfer_id)).sweep_status).toBe(after)
  })

  test('rejects a transfer whose money never moved, and an unknown one', async () => {
    const tenant = await service.tenant()
    const { id } = await createTransfer(tenant)
    await simulate(tenant, id, 'cancelled')
    const path = '/sandbox/transfer/sweep/simulate'
    expect(await errorOf(tenant, path, sweep(id, 'swept'))).toEqual(invalidField('transfer_id'))
    expect(await errorOf(tenant, path, sweep('x', 'swept'))).toEqual(invalidField('transfer_id'))
  })
})
