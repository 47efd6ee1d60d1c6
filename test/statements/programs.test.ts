import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from '../../scripts/contract/contract.ts'
import { guideFolder } from '../../scripts/docs/guides.ts'
import { readBytes, transactionsOf } from '../support/read-bytes.ts'
import { type Dialect, dialects } from '../support/statement-dialects.ts'
import { type ProgramName, programs, type Told } from '../support/statement-programs.ts'

// What we read in a file, beside what programs that others wrote read in it.

const statement = {
  account: { iban: 'GB33BUKB20201555555555', bank: '20201555', number: '55555555' },
  currency: 'GBP',
  opening: { amount: '100.00', date: '2026-01-01' },
  closing: { amount: '2330.86', date: '2026-01-31' },
  bookings: [
    { date: '2026-01-03', counterparty: 'Kiosk', description: 'Pens', id: 'B1', amount: '-2.50' },
    { date: '2026-01-15', counterparty: 'Work', description: 'Pay', id: 'B2', amount: '1234.56' },
    { date: '2026-01-15', counterparty: 'Tea', description: 'Tea', id: 'B3', amount: '-0.10' },
    { date: '2026-01-15', counterparty: 'Tea', description: 'Tea', id: 'B4', amount: '-0.10' },
    { date: '2026-01-31', counterparty: 'Work', description: 'Bonus', id: 'B5', amount: '999.00' },
  ],
}

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'programs-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const names = Object.keys(programs) as ProgramName[]
const missing = names.filter((name) => !programs[name].isHere())
if (missing.length > 0) {
  const packages = missing.map((name) => programs[name].source).join(', ')
  const message = `a second opinion on statement files: the packages ${packages} are missing`
  if (process.env['REQUIRE_ALL'] === '1') throw new Error(message)
  console.log(`SKIPPED: ${message}`)
}

async function toldByUs({ write, options }: Dialect): Promise<Told> {
  const { events } = await readBytes(write(statement), options)
  const [account] = events.flatMap((event) => (event.kind === 'statement' ? [event.account] : []))
  const closing = events.findLast(
    (event) => event.kind === 'balance' && event.balance.type === 'closing',
  )
  return {
    account: account?.id,
    bookings: transactionsOf(events)
      .map(({ date, amount }) => `${date} ${amount}`)
      .sort(),
    ...(closing?.kind === 'balance' ? { closing: closing.balance.amount } : {}),
  }
}

/** What a program says of a dialect; the error of one that reads nothing. */
function toldBy(name: ProgramName, { format, name: dialect, write, readers }: Dialect): Told {
  const file = join(mkdtempSync(join(folder, 'file-')), `${format}-${dialect.replace(/\W+/g, '-')}`)
  writeFileSync(file, write(statement))
  return programs[name].read(file, readers[name] ?? '')
}

const pairs = dialects.flatMap((dialect) =>
  names
    .filter((name) => dialect.readers[name] !== undefined)
    .map((name) => ({ dialect, name, title: `${dialect.format} ${dialect.name}, ${name}` })),
)
const agrees = ({ dialect, name }: (typeof pairs)[number]) => !dialect.disagreements?.[name]
const here = pairs.filter(({ name }) => !missing.includes(name))

describe('we say what other programs say', () => {
  test.each(here.filter(agrees))('$title', async ({ dialect, name }) => {
    const ours = await toldByUs(dialect)
    const theirs = toldBy(name, dialect)
    expect(ours.bookings).toHaveLength(statement.bookings.length)
    expect(theirs.bookings).toEqual(ours.bookings)
    if (theirs.account !== undefined) expect(theirs.account).toBe(ours.account)
    if (theirs.closing !== undefined) expect(theirs.closing).toBe(ours.closing)
  })
})

describe('a known disagreement still is one', () => {
  test.each(here.filter((pair) => !agrees(pair)))('$title', async ({ dialect, name }) => {
    const ours = await toldByUs(dialect)
    expect(ours.bookings).toEqual(
      statement.bookings.map(({ date, amount }) => `${date} ${amount}`).sort(),
    )
    const theirs = await Promise.resolve()
      .then(() => toldBy(name, dialect))
      .catch(() => undefined)
    expect(theirs?.bookings).not.toEqual(ours.bookings)
  })
})

test('the guide has the table of who agrees', () => {
  const rows = dialects.map((dialect) => {
    const cells = names.map((name) => {
      if (dialect.readers[name] === undefined) return '–'
      return dialect.disagreements?.[name] ?? 'agrees'
    })
    return `| ${[dialect.format, dialect.name, ...cells].join(' | ')} |`
  })
  const head = ['format', 'dialect', ...names.map((name) => programs[name].name)]
  const table = [`| ${head.join(' | ')} |`, `|${'---|'.repeat(head.length)}`, ...rows].join('\n')
  expect(readFileSync(join(root, guideFolder, '09-read-statement-files.md'), 'utf8')).toContain(
    `\n${table}\n`,
  )
})
