import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDays } from '../../src/server/kernel/time.ts'
import { runOperatorCommand } from '../../src/server/operator/operator-command.ts'
import { importText, writeStatement } from '../support/import-file.ts'
import { newAccessToken, newTenant } from '../support/operator.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'
import type { BankBooking, BankStatement } from '../support/statement-files.ts'

let service: TestService
beforeAll(async () => {
  service = await startService({ settings: { environment: 'production', reportDelayMs: 0 } })
})
afterAll(() => service.close())

async function* nothing() {}

const account = { iban: 'DE89370400440532013000', bank: '37040044', number: '532013000' }
const checking = { type: 'depository', subtype: 'checking' }

let ids = 0
const booking = (date: string, minor: number, description = 'A shop'): BankBooking => {
  ids += 1
  return {
    date,
    amount: (minor / 100).toFixed(2),
    description,
    counterparty: 'Kiosk',
    id: `B${ids}`,
  }
}

const decimal = (minor: number) => (minor / 100).toFixed(2)
const minorOf = ({ amount }: BankBooking) => Math.round(Number(amount) * 100)
const sum = (bookings: readonly BankBooking[]) =>
  bookings.reduce((total, one) => total + minorOf(one), 0)

/** The statement of some days of a year. */
function statementOf(
  year: readonly BankBooking[],
  { from, to }: { from: string; to: string },
): BankStatement {
  const bookings = year.filter(({ date }) => date >= from && date <= to)
  const before = 10_000 + sum(year.filter(({ date }) => date < from))
  return {
    account,
    currency: 'EUR',
    opening: { amount: decimal(before), date: from },
    closing: { amount: decimal(before + sum(bookings)), date: to },
    bookings,
  }
}

/** All transactions of an Item, as the client reads them. */
async function readAll(tenant: Tenant, access_token: string, after?: string) {
  const added: { date: string; amount: number; name: string }[] = []
  let removed = 0
  let next = after
  for (;;) {
    const cursor = next === undefined ? {} : { cursor: next }
    const page = await tenant.api
      .transactionsSync({ access_token, count: 500, ...cursor })
      .orThrow()
    added.push(...page.added)
    removed += page.removed.length
    next = page.next_cursor
    if (!page.has_more) return { added, removed, cursor: next }
  }
}

const facts = (rows: readonly { date: string; amount: number }[]) =>
  rows.map(({ date, amount }) => `${date} ${amount.toFixed(2)}`).sort()
const factsOf = (bookings: readonly BankBooking[]) =>
  facts(bookings.map((one) => ({ date: one.date, amount: 0 - minorOf(one) / 100 })))

const january = [
  booking('2026-01-05', -1250),
  booking('2026-01-30', 240_000),
  booking('2026-01-31', -5000),
  booking('2026-01-31', -5000),
]
const february = [booking('2026-02-10', -2000)]
const year = [...january, ...february]
const parts = {
  january: { from: '2026-01-01', to: '2026-01-31' },
  later: { from: '2026-01-30', to: '2026-02-28' },
}

describe('files of a bank', () => {
  test('become an Item, and an overlapping one of another format adds what is new', async () => {
    const tenant = await newTenant(service)
    const order = { client_id: tenant.clientId }
    const first = writeStatement('OFX 1.x', statementOf(year, parts.january))
    const done = await importText(service, first, order)
    expect(done.public_token).toMatch(/^public-production-/)
    expect(done.accounts).toMatchObject([{ new: 4, known: 0, is_new: true }])
    const access_token = await newAccessToken(service, done.item_id)
    const { accounts, item } = await tenant.api.accountsGet({ access_token }).orThrow()
    expect(accounts).toMatchObject([
      { mask: '3000', type: 'depository', subtype: 'checking', balances: { current: 2387.5 } },
    ])
    expect([item.products, item.available_products]).toEqual([['assets', 'transactions'], []])
    const read = await readAll(tenant, access_token)
    expect(facts(read.added)).toEqual(factsOf(january))

    const again = await importText(service, first, order)
    expect(again.accounts).toMatchObject([{ new: 0, known: 4 }])
    expect(again.public_token).toBeUndefined()
    const second = writeStatement('CAMT.053 version 8', statementOf(year, parts.later))
    const added = await importText(service, second, order)
    expect(added.accounts).toMatchObject([{ new: 1, known: 0, merged: 3, is_new: false }])
    const rest = await readAll(tenant, access_token, read.cursor)
    expect([facts(rest.added), rest.removed]).toEqual([factsOf(february), 0])
    const later = await tenant.api.accountsGet({ access_token }).orThrow()
    expect(later.accounts).toMatchObject([{ balances: { current: 2367.5 } }])
  })

  test('are another Item for another user, and nothing for another client', async () => {
    const [one, other] = [await newTenant(service), await newTenant(service)]
    const text = writeStatement('OFX 2.x', statementOf(year, parts.january))
    const ada = await importText(service, text, { client_id: one.clientId })
    const ben = await importText(service, text, { client_id: one.clientId, client_user_id: 'ben' })
    expect(ben.item_id).not.toBe(ada.item_id)
    const access_token = await newAccessToken(service, ada.item_id)
    const denied = await other.post('/accounts/get', { access_token })
    expect(denied.body).toMatchObject({ error_code: 'INVALID_ACCESS_TOKEN' })
    const wrong = { client_id: other.clientId, item_id: ada.item_id ?? '' }
    await expect(importText(service, text, wrong)).rejects.toThrow('has no Item')
  })

  test('that do not add up are left out unless a part is asked for', async () => {
    const tenant = await newTenant(service)
    const order = { client_id: tenant.clientId, kind: checking }
    const whole = statementOf(year, parts.january)
    const text = writeStatement('MT940', { ...whole, bookings: whole.bookings.slice(1) })
    const done = await importText(service, text, order)
    expect([done.item_id, done.accounts]).toEqual([null, []])
    expect(done.skipped).toEqual([
      { account: '3000', reason: expect.stringContaining('-12.50 is missing') },
    ])
    const part = await importText(service, text, { ...order, partial: true })
    expect(part.accounts).toMatchObject([{ new: 3 }])
  })

  test('ask for the type of an account that they do not tell, and make nothing without it', async () => {
    const tenant = await newTenant(service)
    const text = writeStatement('MT940', statementOf(year, parts.january))
    const done = await importText(service, text, { client_id: tenant.clientId })
    expect(done).toMatchObject({
      item_id: null,
      skipped: [{ account: '3000', reason: expect.stringContaining('--account') }],
    })
    const command = { item: 'list', client_id: tenant.clientId, actor: 'test' } as const
    expect(await runOperatorCommand(service.service, command, nothing())).toEqual({ items: [] })
  })

  test('change nothing in a dry run', async () => {
    const tenant = await newTenant(service)
    const text = writeStatement('OFX 1.x', statementOf(year, parts.january))
    const done = await importText(service, text, { client_id: tenant.clientId, dryRun: true })
    expect(done.accounts).toMatchObject([{ new: 4 }])
    expect([done.item_id, done.public_token]).toEqual([null, undefined])
    const command = { item: 'list', client_id: tenant.clientId, actor: 'test' } as const
    expect(await runOperatorCommand(service.service, command, nothing())).toEqual({ items: [] })
  })

  test('with many rows are that many transactions, also told again by other formats', async () => {
    const tenant = await newTenant(service)
    const order = { client_id: tenant.clientId, kind: checking }
    const rows = Array.from({ length: 2500 }, (_, index) =>
      booking(addDays('2025-01-01', Math.floor(index / 25)), -100 - (index % 7)),
    )
    const whole = statementOf(rows, { from: '2025-01-01', to: '2025-12-31' })
    const tell = (format: string) => importText(service, writeStatement(format, whole), order)
    const { item_id, accounts } = await tell('OFX 1.x')
    expect(accounts).toMatchObject([{ new: 2500 }])
    expect((await tell('OFX 1.x')).accounts).toMatchObject([{ new: 0, known: 2500 }])
    expect((await tell('MT940')).accounts).toMatchObject([{ new: 0, merged: 2500 }])
    expect((await tell('MT940')).accounts).toMatchObject([{ new: 0, known: 2500 }])
    const read = await readAll(tenant, await newAccessToken(service, item_id))
    expect(facts(read.added)).toEqual(factsOf(rows))
  })

  test('become an asset report', async () => {
    const tenant = await newTenant(service)
    const text = writeStatement('OFX 1.x', statementOf(year, parts.january))
    const { item_id } = await importText(service, text, { client_id: tenant.clientId })
    const access_token = await newAccessToken(service, item_id)
    const { asset_report_token } = await tenant.api
      .assetReportCreate({ access_tokens: [access_token], days_requested: 730 })
      .orThrow()
    await service.service.runner.runDue(tenant.clientId)
    const { report } = await tenant.api.assetReportGet({ asset_report_token }).orThrow()
    const [account] = report.items[0]?.accounts ?? []
    expect(account?.balances.current).toBe(2387.5)
    expect(account?.transactions).toHaveLength(4)
  })

  test('answer operations that they cannot serve with PRODUCTS_NOT_SUPPORTED', async () => {
    const tenant = await newTenant(service)
    const text = writeStatement('OFX 1.x', statementOf(year, parts.january))
    const { item_id } = await importText(service, text, { client_id: tenant.clientId })
    const access_token = await newAccessToken(service, item_id)
    for (const path of ['/identity/get', '/liabilities/get']) {
      const { body } = await tenant.post(path, { access_token })
      expect(body).toMatchObject({ error_code: 'PRODUCTS_NOT_SUPPORTED' })
    }
    expect(await tenant.post('/transactions/refresh', { access_token })).toMatchObject({
      status: 200,
    })
  })
})
