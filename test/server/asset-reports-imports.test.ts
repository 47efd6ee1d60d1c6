import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AssetReportAccount, AssetReportItem } from '#contract/types.ts'
import { toDate } from '../../src/server/kernel/time.ts'
import { importText, january, writeStatement } from '../support/import-file.ts'
import { newAccessToken, newTenant } from '../support/operator.ts'
import { startService, type TestService } from '../support/service.ts'

// A lender decides by a report, so it tells no day that the bank's file does not tell.

let service: TestService
beforeAll(async () => {
  service = await startService({
    clock: () => Date.parse('2026-11-23T12:00:00Z'),
    settings: { environment: 'production', reportDelayMs: 0 },
  })
})
afterAll(() => service.close())

const [booking = { date: '', description: '' }] = january.bookings
const february = {
  ...january,
  opening: { amount: '87.50', date: '2026-02-01' },
  closing: { amount: '80.00', date: '2026-02-10' },
  bookings: [{ ...booking, id: 'B1', date: '2026-02-10', amount: '-7.50' }],
}

async function importStatement(clientId: string, statement: typeof january) {
  const order = { client_id: clientId }
  return (await importText(service, writeStatement('OFX 1.x', statement), order)).item_id
}

/** A report about the one account of what was imported. */
async function report(statements: (typeof january)[], days_requested: number, shown?: number) {
  const tenant = await newTenant(service)
  let item: string | null = null
  for (const one of statements) item = await importStatement(tenant.clientId, one)
  const access_tokens = [await newAccessToken(service, item)]
  const order = { access_tokens, days_requested }
  const { asset_report_token } = await tenant.api.assetReportCreate(order).orThrow()
  await service.service.runner.runDue(tenant.clientId)
  const asked = shown === undefined ? {} : { options: { days_to_include: shown } }
  const made = await tenant.api.assetReportGet({ asset_report_token, ...asked }).orThrow()
  const [found] = made.report.items as [AssetReportItem]
  return { item: found, account: found.accounts[0] as AssetReportAccount, tenant, access_tokens }
}

const daysOf = ({ historical_balances }: AssetReportAccount) =>
  historical_balances.map(({ date, current }) => `${date} ${current}`)

test('the history ends on the day of the last balance', async () => {
  const { account } = await report([january], 365)
  const days = daysOf(account)
  expect(account.days_available).toBe(27)
  expect([days.length, days[0], days.at(-2), days.at(-1)]).toEqual([
    27,
    '2026-01-31 87.5',
    '2026-01-06 87.5',
    '2026-01-05 87.5',
  ])
  expect(account.transactions).toHaveLength(1)
})

test('a later statement moves the end', async () => {
  const { account } = await report([january, february], 365)
  const days = daysOf(account)
  expect([account.days_available, days.length]).toEqual([37, 37])
  expect(days.slice(0, 2)).toEqual(['2026-02-10 80', '2026-02-09 87.5'])
})

test('a report about days after the last balance has none', async () => {
  const { account } = await report([january], 60)
  expect(account).toMatchObject({ days_available: 0, historical_balances: [], transactions: [] })
  // The balance itself is the last one that was told.
  expect(account.balances.current).toBe(87.5)
  expect(account).toMatchObject({ owners: [], ownership_type: null })
})

test('the days that a report is read for count from today', async () => {
  // The days since 28 January, of which four were told.
  const { account } = await report([january], 365, 300)
  expect(account.days_available).toBe(4)
  expect(daysOf(account).map(toDate)).toEqual([
    '2026-01-31',
    '2026-01-30',
    '2026-01-29',
    '2026-01-28',
  ])
})

describe('a day is left out whose balance no file tells', () => {
  const days = async (statements: (typeof january)[]) =>
    daysOf((await report(statements, 365)).account)
  const march = {
    ...january,
    opening: { amount: '200.00', date: '2026-03-01' },
    closing: { amount: '190.00', date: '2026-03-10' },
    bookings: [{ ...booking, id: 'C1', date: '2026-03-02', amount: '-10.00' }],
  }
  const between = {
    ...january,
    opening: { amount: '87.50', date: '2026-01-20' },
    closing: { amount: '200.00', date: '2026-03-01' },
    bookings: [{ ...booking, id: 'B1', date: '2026-02-10', amount: '112.50' }],
  }

  test('before a gap between two statements, until another file tells of it', async () => {
    const told = await days([january, march])
    expect([told.length, told[0], told.at(-1)]).toEqual([10, '2026-03-10 190', '2026-03-01 200'])
    const all = await days([january, march, between])
    expect(all.at(-1)).toBe('2026-01-05 87.5')
    expect(all).toContain('2026-02-10 200')
    expect(all).toContain('2026-02-09 87.5')
  })

  test('between the last booking of a file and a later balance', async () => {
    const tenant = await newTenant(service)
    // The file has bookings until 10 January, and the balance of the 31st.
    const text = writeStatement('OFX 1.x', january).replace(/<DTEND>20260131/, '<DTEND>20260110')
    expect(text).toContain('<DTEND>20260110')
    const { item_id } = await importText(service, text, { client_id: tenant.clientId })
    const access_tokens = [await newAccessToken(service, item_id)]
    const order = { access_tokens, days_requested: 365 }
    const { asset_report_token } = await tenant.api.assetReportCreate(order).orThrow()
    await service.service.runner.runDue(tenant.clientId)
    const { report: made } = await tenant.api.assetReportGet({ asset_report_token }).orThrow()
    const [account] = (made.items[0] as AssetReportItem).accounts as [AssetReportAccount]
    expect(daysOf(account)).toEqual(['2026-01-31 87.5'])
    expect([account.days_available, account.transactions.length]).toEqual([27, 1])
  })
})
