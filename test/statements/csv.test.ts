import { describe, expect, test } from 'vitest'
import type { CsvMapping } from '../../generated/statements/types.ts'
import { issuesOf, readBytes, readOrRefuse, transactionsOf } from '../support/read-bytes.ts'

const mapping: CsvMapping = {
  date: { column: 'Date', form: 'YYYY-MM-DD' },
  amount: { column: 'Amount' },
  description: ['Text'],
  currency: { fixed: 'EUR' },
  account: { id: { fixed: '1' } },
}

const read = (text: string | Uint8Array, changed: Partial<CsvMapping> = {}) =>
  readBytes(text, { mapping: { ...mapping, ...changed } })

/** What a file of one row says, or the code of what is wrong with it. */
async function onlyRow(
  row: string,
  changed: Partial<CsvMapping> = {},
  header = 'Date;Text;Amount',
) {
  const { events } = await read(`${header}\n${row}\n`, { separator: ';', ...changed })
  const [issue] = issuesOf(events)
  return issue ? { code: issue.code, line: issue.line } : transactionsOf(events)[0]
}

describe('amounts', () => {
  const german = { decimal: ',', thousands: '.' } as const

  test.each<[string, Partial<CsvMapping>, string]>([
    ['-12.50', {}, '-12.50'],
    ['12.5', {}, '12.50'],
    ['+3', {}, '3.00'],
    ['12.50-', {}, '-12.50'],
    ['(12.50)', {}, '-12.50'],
    ['\u221212.50', {}, '-12.50'],
    ['-€12.50', {}, '-12.50'],
    ['€-12.50', {}, '-12.50'],
    ['12.50 EUR', {}, '12.50'],
    ['-1.234.567,80', german, '-1234567.80'],
    ['1234567,80', german, '1234567.80'],
    ['1 234,50', { decimal: ',', thousands: ' ' }, '1234.50'],
    ['1\u202f234,50', { decimal: ',', thousands: ' ' }, '1234.50'],
    ["1'234.50", { thousands: "'" }, '1234.50'],
    ['1\u2019234.50', { thousands: "'" }, '1234.50'],
    ['12.50', { amount: { column: 'Amount', inverted: true } }, '-12.50'],
    ['0.00', { amount: { column: 'Amount', inverted: true } }, '0.00'],
  ])('%s is read with %j as %s', async (written, form, amount) => {
    expect(await onlyRow(`2026-01-03;x;${written}`, form)).toMatchObject({ amount })
  })

  test.each<[string, Partial<CsvMapping>, string]>([
    ['1.005', {}, 'UNSUPPORTED_PRECISION'],
    ['1,234.50', {}, 'INVALID_AMOUNT'],
    ['1.234', { decimal: ',' }, 'INVALID_AMOUNT'],
    ['12.34,50', german, 'INVALID_AMOUNT'],
    ['1.2345,50', german, 'INVALID_AMOUNT'],
    ['1.5E+3', {}, 'INVALID_AMOUNT'],
    ['twelve', {}, 'INVALID_AMOUNT'],
    ['--1', {}, 'INVALID_AMOUNT'],
    ['', {}, 'MISSING_VALUE'],
  ])('%s with %j is %s, and no amount', async (written, form, code) => {
    expect(await onlyRow(`2026-01-03;x;${written}`, form)).toEqual({ code, line: 2 })
  })

  const two = { amount: { in: 'In', out: 'Out' } } as const
  test.each([
    ['5;', '5.00'],
    [';5', '-5.00'],
    [';-5', '-5.00'],
    ['0.00;5', '-5.00'],
    ['5;0.00', '5.00'],
    ['0;0', '0.00'],
  ])('two columns: `%s` is %s', async (written, amount) => {
    expect(await onlyRow(`2026-01-03;x;${written}`, two, 'Date;Text;In;Out')).toMatchObject({
      amount,
    })
  })

  test.each([
    ['5;5', 'INVALID_VALUE'],
    [';', 'MISSING_VALUE'],
    ['-5;', 'INVALID_AMOUNT'],
  ])('two columns: `%s` is %s', async (written, code) => {
    const told = await onlyRow(`2026-01-03;x;${written}`, two, 'Date;Text;In;Out')
    expect(told).toEqual({ code, line: 2 })
  })

  const indicator = { column: 'Sign', in: ['S'], out: ['H', ''] }
  test.each([
    ['5;s', { amount: '5.00' }],
    ['5;H', { amount: '-5.00' }],
    ['5;', { amount: '-5.00' }],
    ['-5;H', { amount: '5.00' }],
    ['5;X', { code: 'INVALID_VALUE', line: 2 }],
  ])('the sign in a column: `%s` is %j', async (written, expected) => {
    const form = { amount: { column: 'Amount', indicator } }
    const told = await onlyRow(`2026-01-03;x;${written}`, form, 'Date;Text;Amount;Sign')
    expect(told).toMatchObject(expected)
  })
})

describe('dates', () => {
  test.each([
    ['YYYY-MM-DD', '2026-01-03'],
    ['YYYY-MM-DD', '2026-01-03T23:59:59-08:00'],
    ['YYYY-MM-DD', ' 2026-01-03 23:59 '],
    ['DD.MM.YYYY', '03.01.2026'],
    ['DD.MM.YY', '03.01.26'],
    ['D/M/YYYY', '3/1/2026'],
    ['MM/DD/YYYY', '01/03/2026'],
    ['YYYYMMDD', '20260103'],
    ['DD MMM YYYY', '03 Jan 2026'],
    ['DD-MMM-YY', '03-jan.-26'],
    ['D MMM YYYY', '3 janvier 2026'],
    ['MMM D, YYYY', 'January 3, 2026'],
  ])('%s: `%s` is the third of January', async (form, written) => {
    const told = await onlyRow(`${written};x;1`, { date: { column: 'Date', form } })
    expect(told).toMatchObject({ date: '2026-01-03' })
  })

  test.each([
    ['YYYY-MM-DD', '2026-02-30'],
    ['YYYY-MM-DD', '03.01.2026'],
    ['DD.MM.YYYY', '3.1.2026'],
    ['DD/MM/YYYY', '01/31/2026'],
    ['DD MMM YYYY', '03 Foo 2026'],
    ['YYYY-MM-DD', ''],
    ['YYYY-MM-DD', '2026-01-031'],
  ])('%s: `%s` is no date', async (form, written) => {
    const told = await onlyRow(`${written};x;1`, { date: { column: 'Date', form } })
    expect(told).toEqual({ code: 'INVALID_DATE', line: 2 })
  })
})

describe('rows', () => {
  test('that are broken are told by line, and the others are read', async () => {
    const { events } = await read(`Date,Text,Amount
2026-01-01,one,1
2026-01-02,two
2026-01-03,three,with a comma,3

2026-01-05,"a
long text",5
2026-01-07,"six "or" seven",6
2026-01-08,eight,8,,
`)
    expect(transactionsOf(events).map(({ amount }) => amount)).toEqual(['1.00', '5.00', '8.00'])
    expect(issuesOf(events)).toMatchObject([
      { line: 3, code: 'INVALID_VALUE', message: 'the row has 2 columns, and the first row 3' },
      { line: 4, code: 'INVALID_VALUE', message: 'the row has 4 columns, and the first row 3' },
      { line: 8, code: 'INVALID_VALUE' },
    ])
    const lines = events.flatMap((event) => (event.kind === 'transaction' ? [event.line] : []))
    expect(lines).toEqual([2, 6, 9])
  })

  test('after a quote that never ends are not guessed at', async () => {
    const rows = Array.from({ length: 20_000 }, (_, day) => `2026-01-02,row ${day},-1\n`)
    const { events } = await read(
      `Date,Text,Amount\n2026-01-01,one,1\n2026-01-02,"two,2\n${rows.join('')}`,
    )
    expect(transactionsOf(events)).toHaveLength(1)
    expect(issuesOf(events)).toMatchObject([{ line: 3, code: 'UNEXPECTED_END' }])
  })

  test('may end in different ways', async () => {
    const text =
      'Date,Text,Amount\r2026-01-01,one,1\r\n2026-01-02,"t\r\nwo",2\n2026-01-03,three,x\n'
    const { events } = await read(text)
    expect(transactionsOf(events).map(({ description }) => description)).toEqual(['one', 't wo'])
    expect(issuesOf(events)).toMatchObject([{ line: 5, code: 'INVALID_AMOUNT' }])
  })

  test('without an end may have been cut', async () => {
    const { events } = await read('Date,Text,Amount\n2026-01-01,one,1.5')
    expect(transactionsOf(events)).toHaveLength(1)
    expect(issuesOf(events)).toMatchObject([{ line: 2, code: 'UNFINISHED_LINE' }])
  })

  test('are skipped where the mapping says so', async () => {
    const { events } = await read(
      'Report\nof January\nDate,Text,Amount,State\n2026-01-01,one,1,Done\n,,,\n2026-01-02,two,x,Reverted\nTotal,1\n,\n',
      {
        skip_lines: 2,
        skip_rows: [{ column: 'State', equals: ['reverted'] }],
        footer: { lines: 2 },
      },
    )
    expect(issuesOf(events)).toEqual([])
    expect(transactionsOf(events)).toMatchObject([{ description: 'one' }])
  })

  test('can be pending, and say more of themselves', async () => {
    const told = await onlyRow(
      '2026-01-03;Tea;-1;Shop;B7;3421;open;2026-01-05',
      {
        description: ['Who', 'Text'],
        counterparty: 'Who',
        id: 'Id',
        references: { check_number: 'Check' },
        pending: { column: 'State', equals: ['Open'] },
        value_date: { column: 8, form: 'YYYY-MM-DD' },
      },
      'Date;Text;Amount;Who;Id;Check;State;Value',
    )
    expect(told).toEqual({
      id: 'B7',
      status: 'pending',
      amount: '-1.00',
      currency: 'EUR',
      date: '2026-01-03',
      value_date: '2026-01-05',
      description: 'Shop Tea',
      counterparty: 'Shop',
      references: { check_number: '3421' },
    })
  })
})

describe('columns', () => {
  test.each<[string, Partial<CsvMapping>, RegExp]>([
    ['Date,Amount', {}, /line 1: the header row has no column Text.*description\[0\]/],
    ['Date,Text,Amount,Text', {}, /two columns Text; name one by its number/],
    ['Date,Text,Amount', { id: 9 }, /has 3 columns, and the mapping names column 9 \(id\)/],
  ])('of %s that are missing or ambiguous end the reading', async (header, changed, told) => {
    const bytes = Buffer.from(`${header}\n2026-01-01,a,1,b\n`)
    const events = await readOrRefuse(bytes, { mapping: { ...mapping, ...changed } })
    expect(events).toMatch(told)
  })

  test('are found in any case and order', async () => {
    const { events } = await read(' AMOUNT ,text,date\n1,a,2026-01-01\n')
    expect(transactionsOf(events)).toMatchObject([{ amount: '1.00', description: 'a' }])
  })
})

describe('accounts', () => {
  test('are told by their columns, one statement for each run of rows', async () => {
    const { events } = await read(
      "Date,Text,Amount,Iban,Sort,Cur,Held\n2026-01-01,a,1,de02 1001 0010 0006 8201 01,'01-02,EUR,11\n" +
        '2026-01-02,b,2,DE02100100100006820101,01-02,GBP,7\n2026-01-03,c,3,55,01-02,GBP,3\n2026-01-03,c,3,,01-02,GBP,3\n',
      {
        account: {
          id: { column: 'Iban' },
          bank_id: { column: 'Sort' },
          type: { fixed: 'depository' },
        },
        currency: { column: 'Cur' },
        balance: { column: 'Held' },
      },
    )
    const told = events.flatMap((event) => (event.kind === 'statement' ? [event.account] : []))
    expect(told).toMatchObject([
      { iban: 'DE02100100100006820101', bank_id: '01-02', type: 'depository', currency: 'EUR' },
      { iban: 'DE02100100100006820101', currency: 'GBP' },
      { id: '55', currency: 'GBP' },
    ])
    expect(issuesOf(events)).toMatchObject([{ line: 5, code: 'MISSING_VALUE' }])
    expect(balancesOf(events).map(({ amount }) => amount)).toEqual([
      ...['10.00', '11.00'],
      ...['5.00', '7.00'],
      // The last row may have been of this account.
      '0.00',
    ])
  })

  test('that nothing names are told as unknown', async () => {
    const { account, currency, ...bare } = mapping
    const { events } = await readBytes('Date,Text,Amount\n2026-01-01,a,1\n', { mapping: bare })
    expect(events).toContainEqual({
      kind: 'statement',
      account: { id: 'unknown', currency: 'XXX' },
    })
    expect(issuesOf(events).map(({ code }) => code)).toEqual([
      'UNKNOWN_CURRENCY',
      'UNKNOWN_ACCOUNT',
    ])
  })

  test('without any row are still told', async () => {
    const { events } = await read('Date,Text,Amount\n')
    expect(events).toEqual([{ kind: 'statement', account: { id: '1', currency: 'EUR' } }])
  })
})

type Events = Awaited<ReturnType<typeof readBytes>>['events']
const balancesOf = (events: Events) =>
  events.flatMap((event) => (event.kind === 'balance' ? [event.balance] : []))

describe('balances', () => {
  const balance = { column: 'Held' }
  const file = (...rows: string[]) => `Date,Text,Amount,Held\n${rows.join('\n')}\n`

  test.each<[string, string[], Partial<CsvMapping>]>([
    [
      'oldest first',
      ['2026-01-01,a,-1,99', '2026-01-02,b,-2,97', '2026-01-03,c,-3,94'],
      { balance },
    ],
    [
      'newest first',
      ['2026-01-03,c,-3,94', '2026-01-02,b,-2,97', '2026-01-01,a,-1,99'],
      { balance },
    ],
    [
      'once a day only, oldest first',
      ['2026-01-01,a,-1,', '2026-01-02,b,-2,97', '2026-01-03,c,-3,'],
      { balance },
    ],
    [
      'once a day only, newest first',
      ['2026-01-03,c,-3,', '2026-01-02,b,-2,97', '2026-01-01,a,-1,'],
      { balance: { ...balance, order: 'newest_first' } },
    ],
    [
      'with a pending row, which does not count',
      ['2026-01-04,pending,-50,', '2026-01-03,c,-3,94', '2026-01-02,b,-2,97', '2026-01-01,a,-1,99'],
      { balance, pending: { column: 'Text', equals: ['pending'] } },
    ],
    [
      'of debts, where a purchase is positive',
      ['2026-01-01,a,1,-99', '2026-01-02,b,2,-97', '2026-01-03,c,3,-94'],
      {
        amount: { column: 'Amount', inverted: true },
        balance: { ...balance, inverted: true },
      },
    ],
  ])('%s: the opening and the closing balance follow', async (_, rows, changed) => {
    const { events } = await read(file(...rows), changed)
    expect(issuesOf(events)).toEqual([])
    expect(balancesOf(events)).toEqual([
      { type: 'opening', amount: '100.00', currency: 'EUR', date: '2026-01-01' },
      { type: 'closing', amount: '94.00', currency: 'EUR', date: '2026-01-03' },
    ])
  })

  test.each<[string, string[], number]>([
    ['a missing row', ['2026-01-01,a,-1,99', '2026-01-03,c,-3,94', '2026-01-04,d,-4,90'], 3],
    ['a wrong amount', ['2026-01-04,d,-4,90', '2026-01-03,c,-30,94', '2026-01-02,b,-2,97'], 4],
  ])('%s shows', async (_, rows, line) => {
    const { events } = await read(file(...rows), { balance })
    expect(issuesOf(events)).toMatchObject([{ code: 'BALANCE_MISMATCH', line }])
    expect(balancesOf(events)).toEqual([])
    expect(transactionsOf(events)).toHaveLength(3)
  })

  test('a row that cannot be read is told once, and what it hides is not told', async () => {
    const rows = ['2026-01-01,a,-1,99', '2026-01-02,b,x,97', '2026-01-03,c,-3,94']
    const whole = await read(file(...rows), { balance })
    expect(issuesOf(whole.events)).toMatchObject([{ code: 'INVALID_AMOUNT', line: 3 }])
    expect(balancesOf(whole.events).map(({ amount }) => amount)).toEqual(['100.00', '94.00'])
    const cut = await read(file(...rows.slice(0, 2)), { balance })
    expect(balancesOf(cut.events)).toMatchObject([{ type: 'opening', amount: '100.00' }])
  })
})

describe('encodings', () => {
  const text = 'Date,Text,Amount\n2026-01-01,Café – zwölf,1\n'

  test.each([
    ['utf-8', Buffer.from(text)],
    ['utf-8', Buffer.from(`\ufeff${text}`)],
    ['utf-16le', Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['utf-16le', Buffer.from(text, 'utf16le')],
    ['utf-16be', Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
    ['windows-1252', Buffer.from(text.replace('–', '\x96'), 'latin1')],
  ])('%s is found by the bytes', async (expected, bytes) => {
    const { events, encoding } = await read(bytes)
    expect(encoding).toBe(expected)
    expect(transactionsOf(events)).toMatchObject([{ description: 'Café – zwölf' }])
  })

  test('another one is named by the mapping', async () => {
    const bytes = Buffer.from('Date,Text,Amount\n2026-01-01,\xb3,1\n', 'latin1')
    const { events } = await read(bytes, { encoding: 'iso-8859-2' })
    expect(transactionsOf(events)).toMatchObject([{ description: 'ł' }])
  })
})
