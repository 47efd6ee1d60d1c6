import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  issueCodes,
  type StatementEvent,
  type StatementIssue,
} from '../../src/statements/statement.ts'
import { type CsvDialect, csvDialects } from '../support/csv-files.ts'
import {
  issuesOf,
  readBytes,
  readOrRefuse,
  readPieces,
  transactionsOf,
} from '../support/read-bytes.ts'
import { type BankStatement, type Writer, writers } from '../support/statement-files.ts'

const amount = fc
  .integer({ min: -99_999_999, max: 99_999_999 })
  .map((minor) => (minor / 100).toFixed(2))
  .map((text) => (text === '-0.00' ? '0.00' : text))
const day = fc
  .date({ min: new Date('2025-01-01'), max: new Date('2025-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))
// Banks write upper and lower case, digits, umlauts and marks; the subfields of MT940 start with `?`.
const word = fc.string({
  unit: fc.constantFrom(...'abcXYZ019äß&<>/,.'),
  minLength: 1,
  maxLength: 12,
})
const text = fc.array(word, { minLength: 1, maxLength: 8 }).map((words) => words.join(' '))

const statement: fc.Arbitrary<BankStatement> = fc.record({
  account: fc.constant({ iban: 'GB33BUKB20201555555555', bank: '20201555', number: '55555555' }),
  currency: fc.constantFrom('EUR', 'GBP'),
  opening: fc.record({ amount, date: fc.constant('2025-01-01') }),
  closing: fc.record({ amount, date: fc.constant('2025-12-31') }),
  bookings: fc.array(
    fc.record({
      amount,
      date: day,
      description: text,
      counterparty: fc.constantFrom('Maren Talvik', 'Kiosk & Co', 'Ömer Ünal'),
      id: fc.uuid().map((id) => id.slice(0, 16)),
    }),
    { maxLength: 20 },
  ),
})

const cuts = fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 5 })
const share = fc.double({ min: 0, max: 1, noNaN: true })
const changes = fc.array(fc.tuple(fc.nat(100_000), fc.nat(255)), { minLength: 1, maxLength: 20 })

/** Cuts bytes into pieces of at most some length each. */
function cut(bytes: Uint8Array, sizes: readonly number[]): Uint8Array[] {
  const pieces: Uint8Array[] = []
  for (let from = 0, index = 0; from < bytes.length; index += 1) {
    const size = sizes[index % sizes.length]!
    pieces.push(bytes.subarray(from, from + size))
    from += size
  }
  return pieces
}

type Read = (bytes: string | Uint8Array) => Promise<{ events: StatementEvent[] }>

/** What a file says of each booking, beside what was written. */
async function expectBookings(
  written: BankStatement,
  { write, hasIds }: Writer | CsvDialect,
  read: Read,
) {
  const { events } = await read(write(written))
  expect(issuesOf(events)).toEqual([])
  const spaceless = (words: string) => words.replace(/\s/g, '')
  const told = transactionsOf(events).map((row) => ({
    amount: row.amount,
    currency: row.currency,
    date: row.date,
    counterparty: row.counterparty,
    id: hasIds ? row.id : row.references?.['bank_reference'],
    description: spaceless(row.description),
  }))
  const expected = written.bookings.map(({ description, counterparty, ...row }) => ({
    ...row,
    currency: written.currency,
    counterparty,
    description: spaceless(`${counterparty}${description}`),
  }))
  return { events, told, expected }
}

describe.each(csvDialects)('$name', (dialect) => {
  const { write, options, mayMove } = dialect
  const read: Read = (bytes) => readBytes(bytes, options)

  test('says what the bank wrote', () =>
    fc.assert(
      fc.asyncProperty(statement, async (written) => {
        const { told, expected } = await expectBookings(written, dialect, read)
        const isNewestFirst = options.mapping.balance !== undefined
        expect(isNewestFirst ? told.toReversed() : told).toEqual(expected)
      }),
      { numRuns: 60 },
    ))

  test('says the same however its bytes are cut into pieces', () =>
    fc.assert(
      fc.asyncProperty(statement, cuts, async (written, sizes) => {
        const whole = Buffer.from(write(written))
        const padded = Buffer.concat([whole, Buffer.alloc(66_000, '\n')])
        const late = mayMove ? Buffer.concat([Buffer.alloc(66_000, '\n'), whole]) : padded
        for (const bytes of [padded, late]) {
          expect(await readPieces(cut(bytes, sizes), options)).toEqual(await read(bytes))
        }
      }),
      { numRuns: 15 },
    ))

  test('that ends in the middle tells whole bookings only, or that its end is missing', () =>
    fc.assert(
      fc.asyncProperty(statement, share, async (written, part) => {
        const whole = Buffer.from(write(written))
        const events = await readOrRefuse(whole.subarray(0, whole.length * part), options)
        if (typeof events === 'string') return
        const all = transactionsOf((await read(whole)).events)
        const told = transactionsOf(events)
        // Only its end tells a whole last line from one that lost some of its last value.
        const isOpen = issuesOf(events).some(({ code }) => code === 'UNFINISHED_LINE')
        const complete = isOpen ? told.slice(0, -1) : told
        expect(complete).toEqual(all.slice(0, complete.length))
      }),
      { numRuns: 60 },
    ))

  test('with any bytes changed is read or refused, and nothing else happens', () =>
    fc.assert(
      fc.asyncProperty(statement, changes, async (written, changed) => {
        const bytes = Buffer.from(write(written))
        for (const [place, byte] of changed)
          if (bytes.length > 0) bytes[place % bytes.length] = byte
        // By its mapping, and as a file of which nothing is known.
        for (const known of [options, {}]) {
          const events = await readOrRefuse(bytes, known)
          if (typeof events === 'string') expect(events).not.toBe('')
          else for (const { message } of issuesOf(events)) expect(message).not.toBe('')
        }
      }),
      { numRuns: 60 },
    ))
})

describe.each(writers)('$name', (writer) => {
  const { write, hasIds } = writer

  test('says what the bank wrote', () =>
    fc.assert(
      fc.asyncProperty(statement, async (written) => {
        const { events, told, expected } = await expectBookings(written, writer, readBytes)
        expect(told).toEqual(expected)
        const balances = events.flatMap((event) =>
          event.kind === 'balance' ? [event.balance] : [],
        )
        expect(balances.at(-1)).toEqual({
          type: 'closing',
          ...written.closing,
          currency: written.currency,
        })
      }),
      { numRuns: 60 },
    ))

  test('says the same however its bytes are cut into pieces', () =>
    fc.assert(
      fc.asyncProperty(statement, cuts, async (written, sizes) => {
        const whole = Buffer.from(write(written))
        // More than the head, so that pieces are seen by the parser.
        const padded = Buffer.concat([whole, Buffer.alloc(66_000, '\n')])
        const late = Buffer.concat([Buffer.alloc(66_000, '\n'), whole])
        expect(await readPieces(cut(padded, sizes))).toEqual(await readBytes(padded))
        if (sizes.some((size) => size > 100)) {
          const options = { format: (await readBytes(whole)).format as 'ofx' }
          expect(await readPieces(cut(late, sizes), options)).toEqual(
            await readBytes(late, options),
          )
        }
      }),
      { numRuns: 15 },
    ))

  test('that ends in the middle says so, and its bookings are whole ones', () =>
    fc.assert(
      fc.asyncProperty(statement, share, async (written, part) => {
        const whole = Buffer.from(write(written))
        const length = Math.floor(whole.length * part)
        // What follows the last value need not be there.
        if (/^[\s-]*$/.test(whole.subarray(length).toString())) return
        const events = await readOrRefuse(whole.subarray(0, length))
        if (typeof events === 'string') return
        const tells = ({ code }: StatementIssue) =>
          issueCodes[code].lost || code === 'UNFINISHED_LINE'
        expect(issuesOf(events).some(tells)).toBe(true)
        const all = transactionsOf((await readBytes(whole)).events)
        const told = transactionsOf(events)
        const complete = hasIds ? told : told.slice(0, -1)
        expect(complete).toEqual(all.slice(0, complete.length))
      }),
      { numRuns: 60 },
    ))

  test('with any bytes changed is read or refused, and nothing else happens', () =>
    fc.assert(
      fc.asyncProperty(statement, changes, async (written, changed) => {
        const bytes = Buffer.from(write(written))
        for (const [place, byte] of changed) bytes[place % bytes.length] = byte
        const events = await readOrRefuse(bytes)
        if (typeof events === 'string') expect(events).not.toBe('')
        else for (const { message } of issuesOf(events)) expect(message).not.toBe('')
      }),
      { numRuns: 100 },
    ))
})
