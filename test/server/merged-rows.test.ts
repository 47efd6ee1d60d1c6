import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fileInstitutionId } from '../../src/institution-list/built-in.ts'
import { addDays } from '../../src/server/kernel/time.ts'
import type { ImportOrder } from '../../src/server/operator/import-file.ts'
import { importFile } from '../../src/server/operator/import-file.ts'
import type {
  SourceAccount,
  SourceBalance,
  SourceTransaction,
  StatementEvent,
} from '../../src/statements/statement.ts'
import { newTenant } from '../support/operator.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'

// What banks do to ids, pending rows and balances, one statement after another.

let service: TestService
beforeAll(async () => {
  service = await startService({ settings: { environment: 'production', reportDelayMs: 0 } })
})
afterAll(() => service.close())

type Row = Partial<SourceTransaction> & Pick<SourceTransaction, 'date' | 'amount'>

interface Told {
  rows: readonly Row[]
  period?: { from: string; to: string }
  opening?: Pick<SourceBalance, 'amount' | 'date'>
  closing?: Pick<SourceBalance, 'amount' | 'date' | 'interim'>
  /** In place of the usual one. */
  account?: SourceAccount
}

const usualAccount = { id: '532013000', bank_id: '37040044', type: 'CHECKING', currency: 'EUR' }

async function* eventsOf({
  rows,
  period,
  opening,
  closing,
  account = usualAccount,
}: Told): AsyncGenerator<StatementEvent[]> {
  yield [{ kind: 'statement', account }]
  if (period) yield [{ kind: 'period', period }]
  for (const [line, row] of rows.entries()) {
    const usual = { status: 'posted', currency: 'EUR', description: 'A shop' } as const
    yield [{ kind: 'transaction', transaction: { ...usual, ...row }, line }]
  }
  for (const [type, told] of Object.entries({ opening, closing })) {
    const balance = { type, currency: 'EUR', ...told } as SourceBalance
    if (told) yield [{ kind: 'balance', balance }]
  }
}

/** A new client whose only Item gets one statement after another. */
async function newItem() {
  const tenant = await newTenant(service)
  let access_token = ''
  const tell = async (told: Told, order: Partial<ImportOrder> = {}) => {
    const whole: ImportOrder = {
      client_id: tenant.clientId,
      client_user_id: 'ada',
      institution_id: fileInstitutionId,
      origin: 'ofx',
      file: 'a test',
      balance: 0,
      partial: false,
      dryRun: false,
      ...order,
    }
    const done = await importFile(service.service, whole, eventsOf(told), 'test')
    if (done.public_token !== undefined) {
      const { public_token } = done
      const exchanged = await tenant.control('itemPublicTokenExchange', { public_token })
      access_token = exchanged.access_token
    }
    return done
  }
  return {
    tell,
    rows: () => readRows(tenant, access_token),
    async current() {
      const { accounts } = await tenant.api.accountsGet({ access_token }).orThrow()
      return accounts.map(({ balances }) => balances.current)
    },
  }
}

/** The transactions of an Item, such as `2026-01-05 -5.00`, with `?` where one is pending. */
async function readRows({ api }: Tenant, access_token: string): Promise<string[]> {
  const rows: string[] = []
  let cursor: string | undefined
  for (;;) {
    const page = await api
      .transactionsSync({ access_token, count: 500, ...(cursor === undefined ? {} : { cursor }) })
      .orThrow()
    rows.push(
      ...page.added.map(
        ({ date, amount, pending }) => `${date} ${(0 - amount).toFixed(2)}${pending ? '?' : ''}`,
      ),
    )
    cursor = page.next_cursor
    if (!page.has_more) return rows.sort()
  }
}

const [one, two, three] = [
  { id: 'A', date: '2026-01-05', amount: '-5.00' },
  { id: 'A', date: '2026-01-09', amount: '-7.00' },
  { id: 'C', date: '2026-01-12', amount: '-9.00' },
] as const
const january = { from: '2026-01-01', to: '2026-01-31' }

describe('pending rows', () => {
  test('that a statement lacked come back as posted', async () => {
    const item = await newItem()
    await item.tell({ rows: [{ ...one, status: 'pending' }], period: january })
    const other = { ...three, status: 'pending' } as const
    const gone = await item.tell({ rows: [other], period: january })
    expect(gone.accounts).toMatchObject([{ new: 1, removed: 1 }])
    const back = await item.tell({ rows: [one] })
    expect(back.accounts).toMatchObject([{ new: 1, known: 0 }])
    expect(await item.rows()).toEqual(['2026-01-05 -5.00', '2026-01-12 -9.00?'])
  })

  test('are not taken for another row while their own is in the statement', async () => {
    const item = await newItem()
    await item.tell({ rows: [{ ...one, status: 'pending' }] })
    await item.tell({ rows: [{ ...one, id: 'B' }, one] })
    expect(await item.rows()).toEqual(['2026-01-05 -5.00', '2026-01-05 -5.00'])
  })

  test('that are told after their booking, and have no id, are that booking', async () => {
    const item = await newItem()
    const { id: _, ...row } = one
    await item.tell({ rows: [row] })
    await item.tell({ rows: [{ ...row, date: '2026-01-04', status: 'pending' }] })
    expect(await item.rows()).toEqual(['2026-01-05 -5.00'])
  })

  test('that their own statement has posted, too, are told once', async () => {
    const item = await newItem()
    await item.tell({ rows: [{ ...one, status: 'pending' }, one] })
    expect(await item.rows()).toEqual(['2026-01-05 -5.00'])
    await item.tell({ rows: [one, { ...one, status: 'pending' }] })
    expect(await item.rows()).toEqual(['2026-01-05 -5.00'])
  })
})

describe('ids', () => {
  test.each<[string, ...Row[][]]>([
    ['in order', [one], [two], [one, two]],
    ['backwards', [one], [two], [two, one]],
    ['the later one first', [two], [two, one], [one, two]],
    ['together first', [one, two], [two], [two, one], [one]],
  ])('that stand for two bookings keep them apart: %s', async (_, ...files) => {
    const item = await newItem()
    for (const rows of files) await item.tell({ rows })
    for (const rows of files) {
      const again = await item.tell({ rows })
      expect(again.accounts).toMatchObject([{ new: 0 }])
    }
    expect(await item.rows()).toEqual(['2026-01-05 -5.00', '2026-01-09 -7.00'])
  })

  test('that each file counts from 1 keep months apart, whatever the amounts', async () => {
    const item = await newItem()
    const rent = (month: string) => ({ id: '1', date: `2026-0${month}-01`, amount: '-780.00' })
    const february = { from: '2026-02-01', to: '2026-02-28' }
    await item.tell({ rows: [rent('1')], period: january })
    const next = await item.tell({ rows: [rent('2')], period: february })
    expect(next.accounts).toMatchObject([{ new: 1, changed: 0, doubtful: 1 }])
    await item.tell({ rows: [rent('1')], period: january })
    await item.tell({ rows: [rent('2')], period: february })
    expect(await item.rows()).toEqual(['2026-01-01 -780.00', '2026-02-01 -780.00'])
  })

  test('that a bank moves to another day of its statement stay one booking', async () => {
    const item = await newItem()
    await item.tell({ rows: [one, three], period: january })
    const moved = await item.tell({
      rows: [{ ...one, date: '2026-01-07' }, three],
      period: january,
    })
    expect(moved.accounts).toMatchObject([{ changed: 1, known: 1 }])
    expect(await item.rows()).toEqual(['2026-01-07 -5.00', '2026-01-12 -9.00'])
  })

  test('that a file repeats with the same booking stand for one, also of another origin', async () => {
    const item = await newItem()
    const told = await item.tell({ rows: [one, one] })
    expect(told.accounts).toMatchObject([{ new: 1, known: 1 }])
    await item.tell(
      {
        rows: [
          { ...one, id: 'X' },
          { ...one, id: 'X' },
        ],
      },
      { origin: 'camt' },
    )
    expect(await item.rows()).toEqual(['2026-01-05 -5.00'])
  })

  test('of rows without one count equal bookings', async () => {
    const item = await newItem()
    const { id: _, ...row } = one
    await item.tell({ rows: [row, row] }, { origin: 'mt940' })
    await item.tell({ rows: [row, row, row] }, { origin: 'mt940' })
    await item.tell({ rows: [row] }, { origin: 'mt940' })
    expect(await item.rows()).toHaveLength(3)
  })
})

describe('corrections', () => {
  const correction = (id: string, kind: 'REPLACE' | 'DELETE', row: Row = one): Row => ({
    ...row,
    id,
    references: { corrects: 'A', correction: kind },
  })
  const replaced = correction('R', 'REPLACE', { ...one, amount: '-6.00' })

  test.each([
    ['after', [[one], [correction('D', 'DELETE')]], []],
    ['before', [[correction('D', 'DELETE')], [one]], []],
    ['with', [[one, correction('D', 'DELETE')]], []],
    ['after', [[one], [replaced]], ['2026-01-05 -6.00']],
    ['before', [[replaced], [one]], ['2026-01-05 -6.00']],
    ['with', [[one, replaced]], ['2026-01-05 -6.00']],
  ])('hold where they are told %s their row', async (_, files, rows) => {
    const item = await newItem()
    await item.tell({ rows: [three] })
    for (const told of [...files, ...files]) await item.tell({ rows: told })
    expect(await item.rows()).toEqual([...rows, '2026-01-12 -9.00'])
  })
})

describe('the balance', () => {
  const closing = (amount: string, date: string) => ({ closing: { amount, date } })
  const february = { id: 'F', date: '2026-02-03', amount: '-20.00' }

  test('of the day so far counts, and is not compared with its bookings', async () => {
    const item = await newItem()
    const opening = { amount: '90.00', date: '2026-01-30' }
    const interim = { amount: '95.00', date: '2026-01-31', interim: true } as const
    const done = await item.tell({ rows: [one], opening, closing: interim })
    expect(done.skipped).toEqual([])
    expect(await item.current()).toEqual([95])
  })

  test('stays where an older statement of its day is told again', async () => {
    const item = await newItem()
    await item.tell({ rows: [one], ...closing('95.00', '2026-01-31') })
    await item.tell({ rows: [one, three], ...closing('86.00', '2026-01-31') })
    await item.tell({ rows: [one], ...closing('95.00', '2026-01-31') })
    expect(await item.current()).toEqual([86])
  })

  test('counts what was told after its day by files without one', async () => {
    const item = await newItem()
    await item.tell({ rows: [one], ...closing('95.00', '2026-01-31') })
    await item.tell({ rows: [february] })
    expect(await item.current()).toEqual([75])
    await item.tell({ rows: [one, three], ...closing('86.00', '2026-01-31') })
    expect(await item.current()).toEqual([66])
  })

  test('that who imports gives is of today, so that older rows do not change it', async () => {
    const item = await newItem()
    await item.tell({ rows: [february] }, { balance: 50_000 })
    await item.tell({ rows: [one] })
    expect(await item.current()).toEqual([500])
    const today = new Date().toISOString().slice(0, 10)
    await item.tell({ rows: [{ ...three, date: addDays(today, 1) }] })
    expect(await item.current()).toEqual([491])
  })
})

test('a balance of a day to come is of tomorrow, and later ones count', async () => {
  const item = await newItem()
  await item.tell({ rows: [one], closing: { amount: '1.00', date: '2062-01-03' } })
  const soon = addDays(new Date().toISOString().slice(0, 10), 2)
  await item.tell({ rows: [three], closing: { amount: '5.00', date: soon } })
  expect(await item.current()).toEqual([5])
})

test('sums that no number holds are rejected before anything is written', async () => {
  const item = await newItem()
  await item.tell({ rows: [three] })
  const most = { date: '2026-01-20', amount: '999999999999.00' }
  const rows = Array.from({ length: 100 }, (_, id) => ({ ...most, id: `M${id}` }))
  const done = await item.tell({ rows })
  expect(done.skipped).toMatchObject([{ reason: expect.stringContaining('larger than') }])
  expect(await item.rows()).toEqual(['2026-01-12 -9.00'])
})

describe('an account', () => {
  const named = (id: string, bank_id?: string) => ({
    account: { id, currency: 'EUR', type: 'CHECKING', ...(bank_id ? { bank_id } : {}) },
  })

  test.each([
    ['its bank is left out later', named('55', '111'), named('55')],
    ['its bank was left out before', named('55'), named('55', '111')],
    ['its currency stands behind the number', named('55', '111'), named('55EUR', '111')],
    ['zeros stand before the number', named('0055', '111'), named('55', '111')],
  ])('is the same where %s', async (_, first, second) => {
    const item = await newItem()
    await item.tell({ rows: [one], ...first })
    const again = await item.tell({ rows: [one], ...second })
    expect(again.accounts).toMatchObject([{ is_new: false, known: 1 }])
  })

  test('is another one at another bank, and under another number', async () => {
    const item = await newItem()
    await item.tell({ rows: [one], ...named('55', '111') })
    for (const other of [named('55', '222'), named('56', '111')]) {
      const told = await item.tell({ rows: [one], ...other })
      expect(told.accounts).toMatchObject([{ is_new: true, new: 1 }])
    }
  })

  test('that can have no transactions is rejected', async () => {
    const item = await newItem()
    const kind = { type: 'loan', subtype: 'line of credit' }
    const loan = { account: { id: '55', currency: 'EUR', type: 'CREDITLINE' } }
    const done = await item.tell({ rows: [one], ...loan }, { kind })
    expect(done.skipped).toMatchObject([{ reason: expect.stringContaining('has transactions') }])
  })
})

test('a statement with a row in an unknown currency leaves nothing', async () => {
  const item = await newItem()
  await item.tell({ rows: [three] })
  const done = await item.tell({ rows: [one, { ...two, currency: 'euro' }] })
  expect(done.skipped).toMatchObject([{ reason: expect.stringContaining('not euro') }])
  expect(await item.rows()).toEqual(['2026-01-12 -9.00'])
})

test('what a file says of the type of its account counts more than --account', async () => {
  const item = await newItem()
  const kind = { type: 'credit', subtype: 'credit card' }
  const done = await item.tell({ rows: [one] }, { kind })
  expect(done.accounts).toMatchObject([{ name: 'Checking 3000' }])
})

const day = fc.integer({ min: 0, max: 20 }).map((days) => addDays('2026-01-01', days))
const years = fc
  .array(
    fc.record({ date: day, amount: fc.constantFrom('-5.00', '-7.50', '20.00'), id: fc.nat(8) }),
    { minLength: 1, maxLength: 12 },
  )
  // A bank may use an id twice, but never for equal bookings.
  .map((rows) => [...new Map(rows.map((row) => [Object.values(row).join(' '), row])).values()])
  .map((rows) => rows.map((row) => ({ ...row, id: `I${row.id}` })))

test('overlapping files whose ids are used twice, told again at any time, are their bookings', async () => {
  const window = fc.tuple(day, day).map((days) => days.sort())
  const property = fc.asyncProperty(
    years,
    fc.array(window, { maxLength: 4 }),
    fc.infiniteStream(fc.nat()),
    async (all, windows, order) => {
      const item = await newItem()
      const files = [...windows, ['2026-01-01', '2026-01-31']].map(([from = '', to = '']) =>
        all.filter(({ date }) => date >= from && date <= to),
      )
      const told: (typeof files)[number][] = []
      for (const rows of files) {
        await item.tell({ rows })
        told.push(rows)
        const before = told[(order.next().value as number) % told.length] ?? []
        await item.tell({ rows: before })
      }
      expect(await item.rows()).toEqual(all.map(({ date, amount }) => `${date} ${amount}`).sort())
    },
  )
  await fc.assert(property, { numRuns: 40 })
}, 120_000)
