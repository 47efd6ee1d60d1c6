import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { csvWriter } from '../../src/exports/csv.ts'
import {
  type ExportFormat,
  exportItem,
  type LeftOut,
  UnknownAccount,
} from '../../src/exports/export-item.ts'
import type { ExportedAccount } from '../../src/exports/exported.ts'
import { ofxWriter } from '../../src/exports/ofx.ts'
import type { ExportDone } from '../../src/server/operator/export-command.ts'
import { runOperatorCommand } from '../../src/server/operator/operator-command.ts'
import { readMapping } from '../../src/statements/csv/read-mapping.ts'
import { importText, january, writeStatement } from '../support/import-file.ts'
import { newTenant } from '../support/operator.ts'
import { readBytes, transactionsOf } from '../support/read-bytes.ts'
import { startService, startWorld, type Tenant, type TestService } from '../support/service.ts'
import { programs } from '../support/statement-programs.ts'

let service: TestService
let tenant: Tenant
beforeEach(async () => {
  service = await startService({ settings: { environment: 'production', reportDelayMs: 0 } })
  tenant = await newTenant(service)
})
afterEach(() => service.close())

async function* nothing() {}

/** The text of an export, and what it left out. */
async function exported(
  item: string,
  format: ExportFormat,
  account?: string,
  its = service,
): Promise<{ text: string; leftOut: LeftOut }> {
  const pieces = exportItem({ item, format, account }, async (command) => {
    const order = { ...command, actor: 'operator:test' }
    return (await runOperatorCommand(its.service, order, nothing())) as ExportDone
  })
  for (let text = ''; ; ) {
    const { value, done } = await pieces.next()
    if (done) return { text, leftOut: value }
    text += value
  }
}

const bookings = [
  { ...january.bookings[0], id: 'A1', date: '2026-01-05', amount: '-12.50', description: 'Coffee' },
  { id: 'A2', date: '2026-01-05', amount: '-12.50', description: 'Coffee', counterparty: 'Kiosk' },
  {
    id: 'A3',
    date: '2026-01-31',
    amount: '1234.56',
    description: 'Pay, for "January" <net> & more',
    counterparty: 'Maren Talvik of a company with a very long name',
  },
] as (typeof january.bookings)[number][]
const closing = { ...january.closing, amount: '1309.56' }

/** Imports January, and returns the id of the Item. */
async function importJanuary(client_user_id = 'ada'): Promise<string> {
  const text = writeStatement('OFX 2.x', { ...january, bookings, closing })
  const order = { client_id: tenant.clientId, client_user_id }
  return String((await importText(service, text, order)).item_id)
}

const rowsOf = (events: Awaited<ReturnType<typeof readBytes>>['events']) =>
  transactionsOf(events).map(({ date, amount, status }) => `${date} ${amount} ${status}`)

describe('an Item as OFX', () => {
  test('is read again with every amount, day and balance', async () => {
    const item_id = await importJanuary()
    const { text, leftOut } = await exported(item_id, 'ofx')
    const { events } = await readBytes(text)
    expect(rowsOf(events).sort()).toEqual([
      '2026-01-05 -12.50 posted',
      '2026-01-05 -12.50 posted',
      '2026-01-31 1234.56 posted',
    ])
    expect(events).toContainEqual(
      expect.objectContaining({
        kind: 'balance',
        balance: expect.objectContaining({ type: 'closing', amount: '1309.56', currency: 'EUR' }),
      }),
    )
    expect(events.filter(({ kind }) => kind === 'issue')).toEqual([])
    expect(leftOut).toEqual({ accounts: 0, pending: 0, foreign: 0 })
  })

  test('can be imported into another Item, and again, without a change', async () => {
    const item_id = await importJanuary()
    const { text } = await exported(item_id, 'ofx')
    const order = { client_id: tenant.clientId, client_user_id: 'grace' }
    const first = await importText(service, text, order)
    const again = await importText(service, text, order)
    expect(first.accounts).toMatchObject([{ new: 3 }])
    expect(again.accounts).toMatchObject([{ new: 0, known: 3 }])
    const second = await exported(String(first.item_id), 'ofx')
    const told = async (its: string) => rowsOf((await readBytes(its)).events).sort()
    expect(await told(second.text)).toEqual(await told(text))
  })

  const others = (['ofxdump', 'ofxparse'] as const).filter((name) => programs[name].isHere())
  test.each(others)('is read by %s, which others wrote', async (name) => {
    const item_id = await importJanuary()
    const folder = mkdtempSync(join(tmpdir(), 'export-'))
    const file = join(folder, 'accounts.ofx')
    writeFileSync(file, (await exported(item_id, 'ofx')).text)
    try {
      expect(programs[name].read(file, 'OFX').bookings).toEqual([
        '2026-01-05 -12.50',
        '2026-01-05 -12.50',
        '2026-01-31 1234.56',
      ])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  test('has one message set for bank accounts, and one for cards', async () => {
    const sandbox = await startWorld()
    const seeded = await sandbox.tenant()
    const { public_token } = await seeded.control('sandboxPublicTokenCreate', {
      institution_id: 'ins_109508',
      initial_products: ['transactions'],
    })
    const { item_id } = await seeded.control('itemPublicTokenExchange', { public_token })
    const { text, leftOut } = await exported(item_id, 'ofx', undefined, sandbox)
    await sandbox.close()
    const { events } = await readBytes(text)
    const types = events.flatMap((one) => (one.kind === 'statement' ? [one.account.type] : []))
    expect(types.at(-1)).toBe('CREDITCARD')
    expect(text.match(/<\w+MSGSRSV1>/g)).toEqual([
      '<SIGNONMSGSRSV1>',
      '<BANKMSGSRSV1>',
      '<CREDITCARDMSGSRSV1>',
    ])
    expect(leftOut.accounts).toBeGreaterThan(0)
  })

  test('never tells the number of an account', async () => {
    const item_id = await importJanuary()
    const { text } = await exported(item_id, 'ofx')
    expect(text).not.toContain('532013000')
  })
})

describe('an Item as CSV', () => {
  test('has a row for each transaction, quoted where needed', async () => {
    const item_id = await importJanuary()
    const { text } = await exported(item_id, 'csv')
    const lines = text.trimEnd().split('\r\n')
    expect(lines).toHaveLength(4)
    expect(lines[0]).toBe(
      'date,description,amount,currency,status,account_id,account_name,transaction_id,authorized_date,merchant_name,category,original_description',
    )
    expect(lines.find((line) => line.startsWith('2026-01-31'))).toMatch(
      /,1234\.56,EUR,posted,.*"[^\r\n]*""January"" <net> & more"/,
    )
  })
})

/** Changes the stored transaction of January that has this amount. */
const change = (amount: string, from: string, to: string) =>
  service.service.database.transaction((db) =>
    db.run(
      `update transactions set document = replace(document, '${from}', '${to}')
        where document like '%${amount}%'`,
      [],
    ),
  )

describe('an export', () => {
  test('has the currency of a transaction as CSV, and leaves it out as OFX', async () => {
    const item_id = await importJanuary()
    await change('1234.56', '"EUR"', '"USD"')
    expect((await exported(item_id, 'csv')).text).toContain(',1234.56,USD,')
    const { text, leftOut } = await exported(item_id, 'ofx')
    expect(text).not.toContain('1234.56')
    expect(leftOut).toEqual({ accounts: 0, pending: 0, foreign: 1 })
  })

  test('dates the balance by the day for which the bank told it', async () => {
    const { text } = await exported(await importJanuary(), 'ofx')
    expect(text.match(/<DTASOF>\d+/g)).toEqual(['<DTASOF>20260131'])
  })

  test('has ids and names as long as OFX allows, and no half characters', async () => {
    const item_id = await importJanuary()
    const { text } = await exported(item_id, 'ofx')
    const account_id = /<ACCTID>(.*)<\/ACCTID>/.exec(text)?.[1] ?? ''
    const bank_id = /<BANKID>(.*)<\/BANKID>/.exec(text)?.[1] ?? ''
    expect([account_id.length, bank_id.length]).toEqual([22, 9])
    expect((await exported(item_id, 'ofx')).text).toContain(account_id)
    const writer = ofxWriter({ bankId: 'b', now: '2026-03-16T12:00:00Z' })
    const name = `${'a'.repeat(31)}😀😀`
    const row = { ...noTexts, transaction_id: 'T', name }
    const written = writer.transaction(row, {} as ExportedAccount)
    expect(written).toContain(`<NAME>${'a'.repeat(31)}😀</NAME>`)
    expect(written).toContain(`<MEMO>${name}</MEMO>`)
  })

  test('as CSV has no text that a spreadsheet takes as a formula, and is imported as it was', async () => {
    const names = ['=1+1', '+49 30', '-5', '@a', '\ta', "'quoted'", "'=a"]
    const account = { account_id: 'A', name: '=A' } as ExportedAccount
    const writer = csvWriter()
    const rows = names.map((name, index) => {
      return writer.transaction({ ...noTexts, transaction_id: `T${index}`, name }, account)
    })
    const text = writer.begin() + rows.join('')
    for (const cell of text.split(/,|\r\n/)) {
      expect(cell).not.toMatch(/^"?[=+@\t]|^"?-(?!12\.50)/)
    }
    const { events } = await readBytes(text, { mapping: readMapping('m.yaml', ownMapping) })
    expect(transactionsOf(events).map(({ description }) => description)).toEqual(
      names.map((name) => name.trim()),
    )
  })
})

const noTexts = {
  date: '2026-03-10',
  authorized_date: null,
  pending: false,
  amount: -1250,
  iso_currency_code: 'EUR',
  unofficial_currency_code: null,
  merchant_name: null,
  original_description: null,
  category: null,
  check_number: null,
}

const ownMapping = `separator: ","
date: { column: date, form: YYYY-MM-DD }
amount: { column: amount }
description: [description]
currency: { column: currency }
account: { id: { column: account_id } }
`

test('an export is in the audit log, and needs an Item that is there', async () => {
  const item_id = await importJanuary()
  await exported(item_id, 'csv')
  const audit = await service.service.database.read((db) =>
    db.all<{ subject: string; actor: string }>(
      "select subject, actor from audit_log where action = 'item.export'",
    ),
  )
  expect(audit).toEqual([{ subject: item_id, actor: 'operator:test' }])
  await expect(exported('none', 'csv')).rejects.toThrow('there is no Item none')
  await expect(exported(item_id, 'csv', 'none')).rejects.toThrow(UnknownAccount)
})
