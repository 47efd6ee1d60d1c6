import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { BankTransferEventSyncResponse } from '#contract/types.ts'
import type { SandboxBankTransferEventType } from '../../generated/sandbox/types.ts'
import type { Closed } from '../../src/server/kernel/closed.ts'
import { insertBankTransferEvent } from '../../src/server/transfers/store.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'
import {
  errorOf,
  exampleOf,
  inContext,
  invalidField,
  migrateAccount,
} from '../support/transfers-fixtures.ts'

let service: TestService

beforeAll(async () => {
  service = await startService({ clock: () => Date.parse('2026-03-09T15:31:00Z') })
})
afterAll(() => service.close())

async function createBankTransfer(tenant: Tenant, order: object = {}) {
  const { account_id } = await migrateAccount(tenant)
  const body = { account_id, type: 'debit' as const, amount: '60.00', ...order }
  const { bank_transfer_id } = await tenant.control('sandboxBankTransferCreate', body)
  return { account_id, bank_transfer_id }
}

const move = (tenant: Tenant, bank_transfer_id: string, event_type: SandboxBankTransferEventType) =>
  tenant.control('sandboxBankTransferSimulate', { bank_transfer_id, event_type })

async function readEvents(tenant: Tenant, after_id = 0, count?: number | null) {
  const body = { after_id, ...(count === undefined ? {} : { count }) }
  const { data, error } = await tenant.api.bankTransferEventSync(body)
  expect(error).toBeUndefined()
  return data!.bank_transfer_events
}

describe('bankTransferEventSync', () => {
  test('tells each step of a bank transfer in its order', async () => {
    const tenant = await service.tenant()
    const { account_id, bank_transfer_id } = await createBankTransfer(tenant)
    await tenant.control('sandboxClockAdvance', { seconds: 3600 })
    await move(tenant, bank_transfer_id, 'posted')
    await move(tenant, bank_transfer_id, 'reversed')
    const known = {
      account_id,
      bank_transfer_id,
      origination_account_id: expect.any(String),
      bank_transfer_type: 'debit',
      bank_transfer_amount: '60.00',
      bank_transfer_iso_currency_code: 'USD',
      failure_reason: null,
      direction: 'outbound',
      receiver_details: null,
    }
    const later = '2026-03-09T16:31:00Z'
    const failure_reason = {
      ach_return_code: 'R01',
      description: 'The account does not hold enough money for the debit.',
    }
    expect(await readEvents(tenant)).toEqual([
      { event_id: 1, timestamp: '2026-03-09T15:31:00Z', event_type: 'pending', ...known },
      { event_id: 2, timestamp: later, event_type: 'posted', ...known },
      { event_id: 3, timestamp: later, event_type: 'reversed', ...known, failure_reason },
    ])
  })

  test('shows the events of the seed data in full, as in the contract', async () => {
    const tenant = await service.tenant()
    const { bank_transfer_events: events } = exampleOf<Closed<BankTransferEventSyncResponse>>(
      'bankTransferEventSyncResponse',
    )
    await inContext(service, tenant, async (ctx) => {
      for (const { event_id: _, ...event } of events) await insertBankTransferEvent(ctx, event)
    })
    expect(await readEvents(tenant)).toEqual(events)
  })

  test('gives at most 25 events after the one that is named', async () => {
    const tenant = await service.tenant()
    const { account_id } = await migrateAccount(tenant)
    for (let made = 0; made < 30; made += 1) {
      const body = { account_id, type: 'credit' as const, amount: '1.00' }
      await tenant.control('sandboxBankTransferCreate', body)
    }
    const ids = async (after: number, count?: number | null) =>
      (await readEvents(tenant, after, count)).map(({ event_id }) => event_id)
    expect(await ids(0)).toEqual(Array.from({ length: 25 }, (_, index) => index + 1))
    expect(await ids(0, null)).toHaveLength(25)
    expect(await ids(25)).toEqual([26, 27, 28, 29, 30])
    expect(await ids(3, 2)).toEqual([4, 5])
    expect(await ids(30)).toEqual([])
    expect(await ids(Number.MAX_SAFE_INTEGER)).toEqual([])
  })

  test.each([{ after_id: -1 }, { after_id: 0, count: 26 }, { after_id: 0, count: 0 }])(
    'rejects %j',
    async (body) => {
      const tenant = await service.tenant()
      const { code } = await errorOf(tenant, '/bank_transfer/event/sync', body)
      expect(code).toBe('INVALID_FIELD')
    },
  )

  test('counts the events of each client by themselves', async () => {
    const [tenant, other] = [await service.tenant(), await service.tenant()]
    await createBankTransfer(tenant)
    await createBankTransfer(other)
    expect((await readEvents(other)).map(({ event_id }) => event_id)).toEqual([1])
  })

  test('leaves no gap after a rejected move or between moves at once', async () => {
    const tenant = await service.tenant()
    const made = await Promise.all([1, 2, 3, 4].map(() => createBankTransfer(tenant)))
    await errorOf(tenant, '/sandbox/bank_transfer/simulate', {
      bank_transfer_id: made[0]!.bank_transfer_id,
      event_type: 'reversed',
    })
    await Promise.all(made.map((one) => move(tenant, one.bank_transfer_id, 'posted')))
    const ids = (await readEvents(tenant)).map(({ event_id }) => event_id)
    expect(ids).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  })
})

describe('sandboxBankTransferCreate', () => {
  test('takes the currency and the direction', async () => {
    const tenant = await service.tenant()
    await createBankTransfer(tenant, { iso_currency_code: 'CAD', direction: 'inbound' })
    const [event] = await readEvents(tenant)
    expect(event).toMatchObject({
      bank_transfer_iso_currency_code: 'CAD',
      direction: 'inbound',
      origination_account_id: null,
    })
  })

  test('rejects an account of another client', async () => {
    const [tenant, other] = [await service.tenant(), await service.tenant()]
    const { account_id } = await migrateAccount(other)
    const body = { account_id, type: 'debit', amount: '60.00' }
    const { code } = await errorOf(tenant, '/sandbox/bank_transfer/create', body)
    expect(code).toBe('INVALID_ACCOUNT_ID')
  })
})

describe('sandboxBankTransferSimulate', () => {
  const path = '/sandbox/bank_transfer/simulate'
  const events = ['posted', 'failed', 'cancelled', 'reversed'] as const
  type Path = (typeof events)[number][]
  const paths: [Path, Path][] = [
    [[], ['posted', 'failed', 'cancelled']],
    [['posted'], ['reversed']],
    [['failed'], []],
    [['cancelled'], []],
    [['posted', 'reversed'], []],
  ]

  test.each(paths)('after %j allows %j and nothing else', async (before, followers) => {
    const tenant = await service.tenant()
    const possible: string[] = []
    for (const event_type of events) {
      const { bank_transfer_id } = await createBankTransfer(tenant)
      for (const event of before) await move(tenant, bank_transfer_id, event)
      const { status, body } = await tenant.post(path, { bank_transfer_id, event_type })
      if (status === 200) possible.push(event_type)
      expect(body['error_code']).toBe(status === 200 ? undefined : 'INVALID_FIELD')
    }
    expect(possible.sort()).toEqual([...followers].sort())
  })

  test('keeps why a bank transfer failed, without a code', async () => {
    const tenant = await service.tenant()
    const { bank_transfer_id } = await createBankTransfer(tenant)
    await tenant.control('sandboxBankTransferSimulate', {
      bank_transfer_id,
      event_type: 'failed',
      failure_reason: { ach_return_code: 'R03', description: 'The file was rejected.' },
    })
    const [, failed] = await readEvents(tenant)
    expect(failed?.failure_reason).toEqual({
      ach_return_code: null,
      description: 'The file was rejected.',
    })
  })

  test.each([
    ['debit', 'R01'],
    ['credit', 'R02'],
  ])('chooses a common code for the reversal of a %s', async (type, code) => {
    const tenant = await service.tenant()
    const { bank_transfer_id } = await createBankTransfer(tenant, { type })
    await move(tenant, bank_transfer_id, 'posted')
    await move(tenant, bank_transfer_id, 'reversed')
    const reversed = (await readEvents(tenant)).at(-1)
    expect(reversed?.failure_reason?.ach_return_code).toBe(code)
  })

  test('takes the code of a reversal from the failure code', async () => {
    const tenant = await service.tenant()
    const { bank_transfer_id } = await createBankTransfer(tenant)
    await move(tenant, bank_transfer_id, 'posted')
    await tenant.control('sandboxBankTransferSimulate', {
      bank_transfer_id,
      event_type: 'reversed',
      failure_reason: { failure_code: 'R03' },
    })
    const reversed = (await readEvents(tenant)).at(-1)
    expect(reversed?.failure_reason).toEqual({
      ach_return_code: 'R03',
      description: 'The bank has no such account.',
    })
  })

  test('lets one of two moves at once happen', async () => {
    const tenant = await service.tenant()
    const { bank_transfer_id } = await createBankTransfer(tenant)
    const post = (event_type: string) => tenant.post(path, { bank_transfer_id, event_type })
    const answers = await Promise.all([post('posted'), post('failed'), post('posted')])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400])
    expect(await readEvents(tenant)).toHaveLength(2)
  })

  test('rejects a bank transfer of another client', async () => {
    const [tenant, other] = [await service.tenant(), await service.tenant()]
    const { bank_transfer_id } = await createBankTransfer(tenant)
    const rejected = await errorOf(other, path, { bank_transfer_id, event_type: 'posted' })
    expect(rejected).toEqual(invalidField('bank_transfer_id'))
  })
})
