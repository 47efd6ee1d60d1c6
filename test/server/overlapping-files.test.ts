import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays } from '../../src/server/kernel/time.ts'
import type { ReadOptions } from '../../src/statements/read-statement.ts'
import { isUsualRun } from '../sets.ts'
import { csvDialects } from '../support/csv-files.ts'
import { importText } from '../support/import-file.ts'
import { newAccessToken, newTenant } from '../support/operator.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'
import {
  type BankBooking,
  type BankStatement,
  type Writer,
  writers,
} from '../support/statement-files.ts'

// A quarter of a bank, told by files of any formats that overlap and come in any order. Some end in
// the middle of a day, and some are reports of the day so far.

let service: TestService
beforeAll(async () => {
  service = await startService({ settings: { environment: 'production', reportDelayMs: 0 } })
})
afterAll(() => service.close())

const account = { iban: 'DE89370400440532013000', bank: '37040044', number: '532013000' }
const [first, last] = ['2025-01-01', '2025-03-31']
const dayAfter = (days: number) => addDays(first, days)

/** What a bank knows of a booking. */
interface Booked extends BankBooking {
  minor: number
  /** How it was told while it was pending. */
  hold: { date: string; minor: number } | undefined
}

/** A hold that never becomes a booking. */
interface Released extends BankBooking {
  until: string
}

interface Quarter {
  /** Whether reports of the day have whole texts, as statements do: a bank writes all of them alike. */
  isWhole: boolean
  bookings: Booked[]
  released: Released[]
}

const shops = [
  { counterparty: 'Tide Coffee', description: 'Flat white' },
  { counterparty: 'Shore Parking', description: 'Level two' },
  { counterparty: 'Larkspur Books', description: 'Paperback' },
]
const decimal = (minor: number) => (minor / 100).toFixed(2)
const sum = (bookings: readonly Booked[]) => bookings.reduce((total, { minor }) => total + minor, 0)

/** Days with bookings, at which most files begin or end. */
const days = [3, 17, 18, 44, 70]

// Few days, shops and amounts, so that a day has several bookings, some of them equal.
const quarters = fc
  .record({
    isWhole: fc.boolean(),
    bookings: fc.array(
      fc.record({
        day: fc.constantFrom(...days),
        shop: fc.constantFrom(...shops),
        minor: fc.constantFrom(-500, -500, 20_000),
        hold: fc.option(fc.record({ days: fc.nat(3), more: fc.constantFrom(0, 0, 100) })),
      }),
      { minLength: 1, maxLength: 30 },
    ),
    released: fc.array(
      fc.record({ day: fc.nat(75), shop: fc.constantFrom(...shops), days: fc.nat(6) }),
      { maxLength: 3 },
    ),
  })
  .map(({ isWhole, bookings, released }): Quarter => {
    const booked = bookings.map(({ day, shop, minor, hold }): Booked => {
      const date = dayAfter(day)
      const told = hold && { date: addDays(date, 0 - hold.days), minor: minor + hold.more }
      return { ...shop, date, minor, amount: decimal(minor), id: '', hold: told ?? undefined }
    })
    booked.sort((one, other) => one.date.localeCompare(other.date))
    return {
      isWhole,
      bookings: booked.map((one, index) => ({ ...one, id: `B${index}` })),
      released: released.map(({ day, shop, days: more }, index) => {
        const date = dayAfter(day)
        return { ...shop, date, amount: '-7.77', id: `R${index}`, until: addDays(date, more) }
      }),
    }
  })

/** A file: how much of the quarter it tells, and how. */
interface Told {
  from: string
  to: string
  /** How many bookings of its last day it has; all where it is undefined. */
  cut: number | undefined
  /** Whether the bookings of a day stand in the order of their names, and not in that of the bank. */
  isSorted?: boolean
  format: Format
}

interface Format extends Pick<Writer, 'name'> {
  write(statement: BankStatement): string | Uint8Array
  options?: ReadOptions
  /** Of a report of the day so far: whether it has ids and what is pending. */
  report?: { hasIds: boolean; hasPending: boolean }
  /** Whether a file without bookings tells its account. */
  canBeEmpty: boolean
}

const statements: readonly Format[] = writers.map((writer) => ({ ...writer, canBeEmpty: true }))

const newestFirst = csvDialects.find(({ name }) => name === 'CSV, newest first')!
const mapping = { ...newestFirst.options.mapping, account: { id: { fixed: account.iban } } }
const { id: _, ...withoutIds } = mapping
const csv = [mapping, withoutIds].map((each): Format => {
  const { name, write } = newestFirst
  return { name, write, options: { format: 'csv', mapping: each }, canBeEmpty: false }
})

const reporters = writers.filter(({ name }) => !name.startsWith('OFX'))
const formats: fc.Arbitrary<Format> = fc.oneof(
  fc.constantFrom(...statements, ...csv),
  fc
    .record({
      writer: fc.constantFrom(...reporters),
      report: fc.record({
        hasIds: fc.boolean(),
        hasPending: fc.boolean(),
      }),
    })
    .map(({ writer, report }) => ({
      name: `the day in ${writer.name} ${JSON.stringify(report)}`,
      write: (statement: BankStatement) => writer.write({ ...statement, isIntraday: true }),
      report,
      canBeEmpty: true,
    })),
)

const files = fc.array(
  fc
    .record({
      start: fc.constantFrom(...days, 0, 30),
      end: fc.constantFrom(...days, 80),
      cut: fc.option(fc.nat(3)),
      isSorted: fc.boolean(),
      format: formats,
    })
    .map(({ start, end, cut, isSorted, format }): Told => {
      const from = dayAfter(Math.min(start, end))
      const to = format.report ? from : dayAfter(Math.max(start, end))
      const isCut = cut !== null && to < last
      return { from, to: to < last ? to : last, cut: isCut ? cut : undefined, isSorted, format }
    }),
  { maxLength: 8 },
)

/** What a file has to tell. */
function statementOf(
  { isWhole, bookings, released }: Quarter,
  { from, to, cut, isSorted, format }: Told,
): BankStatement {
  const before = bookings.filter(({ date }) => date < from)
  const within = bookings.filter(({ date }) => date >= from && date < to)
  const ends = bookings.filter(({ date }) => date === to).slice(0, cut)
  const told = [...within, ...ends]
  const nameOf = ({ date, counterparty }: Booked) => `${date} ${counterparty}`
  if (isSorted) told.sort((one, other) => nameOf(one).localeCompare(nameOf(other)))
  const opening = 10_000 + sum(before)
  const { report } = format
  const pending = report?.hasPending
    ? [
        ...bookings
          .filter((one) => !told.includes(one) && one.date >= to)
          .flatMap(({ hold, ...one }) =>
            hold && hold.date <= to ? { ...one, date: hold.date, amount: decimal(hold.minor) } : [],
          ),
        ...released.filter(({ date, until }) => date <= to && until >= to),
      ].map((one) => ({ ...one, isPending: true }))
    : []
  return {
    account,
    currency: 'EUR',
    opening: { amount: decimal(opening), date: from },
    closing: { amount: decimal(opening + sum(told)), date: to },
    bookings: [...told, ...pending].map((one) => ({
      ...one,
      id: report?.hasIds === false ? '' : one.id,
      description: report && !isWhole ? '' : one.description,
    })),
  }
}

/** The transactions of an Item by day, amount and shop, with `?` where one is pending. */
async function readFacts({ api }: Tenant, access_token: string): Promise<string[]> {
  const { added } = await api
    .transactionsSync({ access_token, count: 500, options: { include_original_description: true } })
    .orThrow()
  return added
    .map(({ date, amount, pending, original_description: text }) => {
      const shop = shops.find(({ counterparty }) => text?.startsWith(counterparty))
      return `${date} ${decimal(Math.round(amount * -100))} ${shop?.counterparty}${pending ? '?' : ''}`
    })
    .sort()
}

const factsOf = ({ bookings }: Quarter): string[] =>
  bookings.map(({ date, amount, counterparty }) => `${date} ${amount} ${counterparty}`).sort()

test('a quarter in files of any formats, overlapping and in any order, is that quarter', async () => {
  const property = fc.asyncProperty(
    quarters,
    files,
    fc.constantFrom(...statements),
    fc.infiniteStream(fc.nat()),
    async (quarter, others, whole, order) => {
      const tenant = await newTenant(service)
      const all: Told[] = [
        ...others,
        // What the others leave out.
        { from: first, to: '2025-02-15', cut: undefined, format: whole },
        { from: '2025-02-10', to: last, cut: undefined, format: whole },
      ]
      const shuffled = all
        .map((told) => ({ told, at: order.next().value as number }))
        .sort((one, other) => one.at - other.at)
        .map(({ told }) => told)
      const total = 10_000 + sum(quarter.bookings)
      const kind = { type: 'depository', subtype: 'checking' }
      let item: string | null = null
      const tell = async (told: Told) => {
        const statement = statementOf(quarter, told)
        const { format } = told
        if (statement.bookings.length === 0 && !format.canBeEmpty) return undefined
        const text = format.write(statement)
        const work = { client_id: tenant.clientId, kind, balance: total }
        const done = await importText(service, text, work, format.options)
        expect(done.skipped).toEqual([])
        item = done.item_id ?? item
        return done
      }
      for (const told of shuffled) {
        await tell(told)
        const again = await tell(told)
        for (const { new: added, merged, changed, removed } of again?.accounts ?? []) {
          expect({ added, merged, changed, removed }).toEqual({
            added: 0,
            merged: 0,
            changed: 0,
            removed: 0,
          })
        }
      }
      const access_token = await newAccessToken(service, item)
      expect(await readFacts(tenant, access_token)).toEqual(factsOf(quarter))
      const { accounts } = await tenant.api.accountsGet({ access_token }).orThrow()
      expect(accounts.map(({ balances }) => balances.current)).toEqual([total / 100])
    },
  )
  await fc.assert(property, { numRuns: isUsualRun ? 50 : 150 })
}, 240_000)
