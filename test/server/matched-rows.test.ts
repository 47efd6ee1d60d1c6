import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDays } from '../../src/server/kernel/time.ts'
import { importText, writeStatement } from '../support/import-file.ts'
import { newAccessToken, newTenant } from '../support/operator.ts'
import { startService, type TestService } from '../support/service.ts'
import type { BankBooking, BankStatement } from '../support/statement-files.ts'

// Which bookings of two files are the same one, where no key says so.

let service: TestService
beforeAll(async () => {
  service = await startService({ settings: { environment: 'production', reportDelayMs: 0 } })
})
afterAll(() => service.close())

const [camt, camt2, mt940, ofx] = [
  'CAMT.053 version 8',
  'CAMT.053 version 2',
  'MT940',
  'OFX 1.x',
] as const
const from = '2026-05-04'

type Row = Partial<BankBooking> & Pick<BankBooking, 'description'>

interface File extends Partial<Pick<BankStatement, 'isIntraday'>> {
  format: typeof camt | typeof camt2 | typeof mt940 | typeof ofx
  rows: readonly Row[]
  /** The last day. */
  to?: string
}

let ids = 0

/** What files leave of their bookings, one after another, and how their rows were counted. */
async function importAll(...files: File[]) {
  const tenant = await newTenant(service)
  const order = {
    client_id: tenant.clientId,
    kind: { type: 'depository', subtype: 'checking' },
    balance: 0,
  }
  let item: string | null = null
  const counts = []
  for (const { format, rows, to = from, isIntraday = false } of files) {
    const bookings = rows.map((row) => {
      ids += 1
      return { date: from, amount: '-5.00', id: `M${ids}`, ...row }
    })
    const booked = bookings.filter(({ isPending }) => !isPending)
    const sum = booked.reduce((total, { amount }) => total + Number(amount), 0)
    const statement: BankStatement = {
      account: { iban: 'DE89370400440532013000', bank: '37040044', number: '532013000' },
      currency: 'EUR',
      opening: { amount: '100.00', date: from },
      closing: { amount: (100 + sum).toFixed(2), date: to },
      bookings,
      isIntraday,
    }
    const done = await importText(service, writeStatement(format, statement), order)
    expect(done.skipped).toEqual([])
    const [account] = done.accounts
    counts.push([account?.new, account?.merged, account?.doubtful])
    item = done.item_id
  }
  const access_token = await newAccessToken(service, item)
  const options = { include_original_description: true }
  const { added } = await tenant.api.transactionsSync({ access_token, options }).orThrow()
  const texts = added.map(
    ({ amount, pending, original_description }) =>
      `${amount.toFixed(2)} ${original_description}${pending ? '?' : ''}`,
  )
  return { counts, texts: texts.sort() }
}

const coffee = { description: 'Coffee', counterparty: 'Tide Coffee' }
const parking = { description: 'Parking garage' }

describe('bookings of one amount and day in two formats', () => {
  test.each([
    ['first', [coffee, parking]],
    ['last', [parking, coffee]],
  ])('are told apart by their texts, the known one %s', async (_, rows) => {
    const { counts, texts } = await importAll(
      { format: ofx, rows: [coffee] },
      { format: camt, rows },
    )
    expect(counts).toEqual([
      [1, 0, 0],
      [1, 1, 0],
    ])
    expect(texts).toEqual(['5.00 Parking garage', '5.00 Tide Coffee Coffee'])
  })

  test.each([
    ['case and length', 'TIDE COFFEE ROASTERS INTERN', 'Tide Coffee Roasters International GmbH'],
    ['umlauts', 'MUELLER BAECKEREI', 'Müller Bäckerei'],
    ['marks and breaks', 'Tide-Coffee, Ber lin', 'Tide Coffee Berlin'],
    ['words more', 'Tide Coffee', 'Card payment Tide Coffee 12:30'],
  ])('are one where only %s differ', async (_, short, long) => {
    for (const [one, other] of [
      [short, long],
      [long, short],
    ] as const) {
      const { counts } = await importAll(
        { format: ofx, rows: [{ description: one }] },
        { format: camt, rows: [{ description: other }] },
      )
      expect(counts).toEqual([
        [1, 0, 0],
        [0, 1, 0],
      ])
    }
  })

  test.each([
    ['texts', 'Tide Coffee', 'Parking garage'],
    ['numbers', 'Invoice 10', 'Invoice 1001'],
    ['words', 'Card payment Tide', 'Card payment Shore'],
  ])('stay two where the %s differ, and the report says so', async (_, one, other) => {
    const { counts, texts } = await importAll(
      { format: ofx, rows: [{ description: one }] },
      { format: camt, rows: [{ description: other, id: 'X' }] },
      { format: camt, rows: [{ description: other, id: 'X' }] },
    )
    expect(counts.slice(1)).toEqual([
      [1, 0, 1],
      [0, 0, 0],
    ])
    expect(texts).toEqual([`5.00 ${one}`, `5.00 ${other}`].sort())
  })

  test('are one, and the report says so, where only the other party is the same', async () => {
    const { counts } = await importAll(
      { format: ofx, rows: [{ ...coffee, description: 'POS 1234' }] },
      { format: camt, rows: [{ ...coffee, description: 'Debit 2029' }] },
    )
    expect(counts).toEqual([
      [1, 0, 0],
      [0, 1, 1],
    ])
  })

  test('are one where they have one reference', async () => {
    const marked = { end_to_end_id: 'E2E-1' }
    const { counts } = await importAll(
      { format: camt, rows: [{ ...coffee, ...marked }], isIntraday: true },
      { format: camt, rows: [{ ...parking, ...marked, id: '' }] },
    )
    expect(counts[1]).toEqual([0, 1, 0])
  })
})

describe('a report of the day so far, and then the statement', () => {
  test.each([
    ['gives an id', camt, '', 'Book', 'Book'],
    ['gives an id and words', camt2, '', 'Book', 'Card Book shop'],
    ['gives words', mt940, '', 'Book', 'Card Book shop'],
  ] as const)('are one where the statement %s', async (_, format, id, short, long) => {
    const early = { description: short, id }
    const files: File[] = [
      { format, rows: [early, early], isIntraday: true },
      { format, rows: [{ description: long }, { description: long }, parking] },
    ]
    const { counts, texts } = await importAll(...files)
    expect(counts[1]).toEqual([1, 2, 0])
    expect(texts).toHaveLength(3)
    const reversed = await importAll(...files.toReversed())
    expect(reversed.counts).toEqual([
      [3, 0, 0],
      [0, 2, 0],
    ])
  })

  test('told again change nothing', async () => {
    const early: File = { format: mt940, rows: [{ description: 'Book' }], isIntraday: true }
    const later: File = { format: mt940, rows: [{ description: 'Book' }] }
    const longer: File = { format: mt940, rows: [{ description: 'Book shop' }] }
    const { counts } = await importAll(early, later, early, longer, early, later, longer)
    // A second booking, since the statement has told the first one with another text.
    expect(counts.map(([added]) => added)).toEqual([1, 0, 0, 1, 0, 0, 0])
  })

  test('told after the statement leaves its words', async () => {
    const [early, later] = [
      { ...coffee, id: 'X' },
      { ...coffee, id: 'X', description: 'Flat white' },
    ]
    const report: File = { format: camt, rows: [early], isIntraday: true }
    const { texts } = await importAll(report, { format: camt, rows: [later] }, report)
    expect(texts).toEqual(['5.00 Tide Coffee Flat white'])
  })

  test('that has a booking with its id as pending is over where it is posted', async () => {
    const row = { ...coffee, id: 'X', amount: '-12.34', date: addDays(from, 2) }
    const held = { ...coffee, id: 'X', isPending: true }
    const files: File[] = [
      { format: camt, rows: [held], isIntraday: true },
      { format: camt, rows: [row], to: addDays(from, 2) },
    ]
    for (const all of [files, files.toReversed()]) {
      expect((await importAll(...all)).texts).toEqual(['12.34 Tide Coffee Coffee'])
    }
  })

  test('with two ids are two bookings', async () => {
    const { counts } = await importAll(
      { format: camt, rows: [coffee], isIntraday: true },
      { format: camt, rows: [coffee] },
    )
    expect(counts[1]).toEqual([1, 0, 0])
  })
})

test('a statement with some ids does not take its own rows for one', async () => {
  const { counts } = await importAll({ format: camt, rows: [coffee, { ...coffee, id: '' }] })
  expect(counts).toEqual([[2, 0, 0]])
})

describe('a pending booking', () => {
  const hold = { ...parking, amount: '-10.00', id: '', isPending: true }
  const pending: File = {
    format: camt,
    rows: [{ ...hold, end_to_end_id: 'E2E-77' }],
    isIntraday: true,
  }
  const posted = (row: Row): File => ({ format: camt2, rows: [{ amount: '-12.34', ...row }] })

  test.each([
    ['reference', { ...coffee, end_to_end_id: 'E2E-77' }],
    ['text', { ...parking }],
  ])('is posted with another amount by its %s', async (_, row) => {
    const { counts, texts } = await importAll(pending, posted(row))
    expect(counts[1]).toEqual([0, 1, 0])
    expect(texts).toHaveLength(1)
  })

  test('is posted with another amount by the other party', async () => {
    const held = { ...hold, ...coffee, description: 'Hold' }
    const early: File = { ...pending, rows: [held] }
    const { texts } = await importAll(early, posted({ ...coffee, description: 'Final 2029' }))
    expect(texts).toEqual(['12.34 Tide Coffee Final 2029'])
  })

  test('goes where another format has told before that it is posted', async () => {
    const final = { ...coffee, amount: '-12.34', id: 'X', date: addDays(from, 1) }
    const to = addDays(from, 1)
    const held = { ...hold, ...coffee, id: 'X' }
    const { counts, texts } = await importAll(
      { format: ofx, rows: [final], to },
      { ...pending, rows: [held] },
      { format: camt, rows: [final], to },
    )
    expect(counts[2]).toEqual([0, 1, 0])
    expect(texts).toEqual(['12.34 Tide Coffee Coffee'])
  })

  test('stays beside a booking of another amount and text', async () => {
    const { texts } = await importAll(pending, posted(coffee))
    expect(texts).toEqual(['10.00 Parking garage?', '12.34 Tide Coffee Coffee'])
  })

  test('goes to the booking of its text before that of its amount', async () => {
    const rows = [
      { ...coffee, amount: '-10.00' },
      { ...parking, amount: '-11.00' },
    ]
    const { counts, texts } = await importAll(pending, { format: camt2, rows })
    expect(counts[1]).toEqual([1, 1, 0])
    expect(texts).toEqual(['10.00 Tide Coffee Coffee', '11.00 Parking garage'])
  })

  const whole = (days: number, format: File['format'] = camt2): File => ({
    format,
    rows: [],
    to: addDays(from, days),
  })

  test.each([
    [9, ['10.00 Parking garage?']],
    [10, ['10.00 Parking garage?']],
    [11, []],
  ])('that statements of %i days more lack is gone after ten', async (days, rows) => {
    for (const format of [camt2, mt940, ofx] as const) {
      expect((await importAll(pending, whole(days, format))).texts).toEqual(rows)
    }
    expect((await importAll(whole(days), pending)).texts).toEqual(rows)
  })

  test('is not gone by reports of the day so far', async () => {
    const report = { ...whole(30), isIntraday: true }
    expect((await importAll(pending, report)).texts).toEqual(['10.00 Parking garage?'])
  })
})
