import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { isCurrency, toCurrency } from '../../src/server/sources/currency.ts'
import { toOwners } from '../../src/server/sources/owners.ts'
import { openStatement } from '../../src/server/sources/pulled-statements.ts'
import { readBalance } from '../../src/server/sources/read-balance.ts'
import { createSummary } from '../../src/server/sources/read-summary.ts'
import { contentOf, keyOfId, keysOf, referenceKeys } from '../../src/server/sources/row-key.ts'
import type { StagedRow } from '../../src/server/sources/source-file.ts'
import type { ReadStatement } from '../../src/server/sources/statement-reader.ts'
import type { SourceAccount, StatementIssue } from '../../src/statements/statement.ts'

// Rules about what files tell, some of which the service applies in a thread of its own.

describe('the currency of a file', () => {
  test.each(['EUR', 'AAA', 'XAU'])('%s is one of ISO 4217', (code) => {
    expect(toCurrency(code)).toEqual({ iso_currency_code: code, unofficial_currency_code: null })
    expect(isCurrency(code)).toBe(true)
  })

  test.each([
    'BTC',
    'USDC',
    'AB',
    'A2345678901234BC',
    'http://a',
    'https://bank.example/points',
    `https://${'a'.repeat(248)}`,
  ])('%s is an unofficial one', (code) => {
    expect(toCurrency(code)).toEqual({ iso_currency_code: null, unofficial_currency_code: code })
    expect(isCurrency(code)).toBe(true)
  })

  test.each([
    '',
    'A',
    'eur',
    'EUr',
    '-EUR',
    'EUR-',
    '1EUR',
    'A2345678901234BCD',
    'ftp://a',
    'https://',
    'see https://bank.example',
    'https://bank.example/a b',
    `https://${'a'.repeat(249)}`,
  ])('"%s" is none', (code) => {
    expect(() => toCurrency(code)).toThrow(`such as EUR, or an http or https address, not ${code}`)
    expect(isCurrency(code)).toBe(false)
  })

  test('must be named where the file has the code for no currency', () => {
    expect(() => toCurrency('XXX')).toThrow('name it with --currency')
    expect(isCurrency('XXX')).toBe(false)
  })
})

describe('the owners of an account', () => {
  test('are shown with every field of the file', () => {
    const parts = { city: 'Bergen', region: 'Vestland', postal_code: '5003', country: 'NO' }
    const address = { street: 'Gate 1', ...parts }
    const owner = { name: 'Ada', address, phone: '1', mobile: '2', email: 'ada@example.com' }
    expect(toOwners([owner])).toEqual([
      {
        names: ['Ada'],
        phone_numbers: [
          { data: '1', type: 'other', primary: true },
          { data: '2', type: 'mobile', primary: false },
        ],
        emails: [{ data: 'ada@example.com', primary: true, type: 'primary' }],
        addresses: [{ data: address }],
      },
    ])
  })

  test('have nothing that the file does not tell', () => {
    expect(toOwners()).toEqual([])
    const none = { names: ['Ada'], phone_numbers: [], emails: [], addresses: [] }
    expect(toOwners([{ name: 'Ada' }])).toEqual([none])
    const empty = { street: '', city: null, region: null, postal_code: null, country: null }
    expect(toOwners([{ name: 'Ada', mobile: '2', address: {} }])).toEqual([
      {
        ...none,
        phone_numbers: [{ data: '2', type: 'mobile', primary: true }],
        addresses: [{ data: empty }],
      },
    ])
  })
})

const giro: SourceAccount = { id: '1', bank_id: 'B', currency: 'EUR' }
const balance = (type: 'opening' | 'closing', amount: string, more: object = {}) => ({
  type,
  amount,
  currency: 'EUR',
  date: '2026-01-31',
  ...more,
})
const statement = (more: Partial<ReadStatement> = {}): ReadStatement =>
  ({
    account: giro,
    count: 2,
    days: { from: '2026-01-05', to: '2026-01-06' },
    balances: [],
    currencies: new Set(['EUR']),
    posted: 0,
    ...more,
  }) as ReadStatement

describe('the summary of a file', () => {
  test('adds up the statements of each account', () => {
    const summary = createSummary()
    const card = { ...giro, id: '2' }
    const closing = [balance('closing', '1.00')]
    expect(summary.add(statement()).at).toBe(0)
    expect(summary.add(statement({ account: card, balances: closing })).at).toBe(1)
    const next = statement({
      count: 3,
      days: { from: '2026-01-04', to: '2026-01-07' },
      currencies: new Set(['EUR', 'USD']),
      balances: closing,
    })
    expect(summary.add(next)).toEqual({ ...next, at: 0 })
    summary.add(statement({ count: 1 }))
    summary.add(statement({ count: 0, days: { from: '', to: '' } }))
    const { accounts, notes, moreNotes } = summary.end([])
    expect(accounts).toEqual([
      {
        account: giro,
        rows: 6,
        from: '2026-01-04',
        to: '2026-01-07',
        hasBalance: false,
        currencies: ['EUR', 'USD'],
      },
      {
        account: card,
        rows: 2,
        from: '2026-01-05',
        to: '2026-01-06',
        hasBalance: true,
        currencies: ['EUR'],
      },
    ])
    expect([notes, moreNotes]).toEqual([[], 0])
  })

  test('has no days for an account without rows', () => {
    const summary = createSummary()
    const none = { from: '', to: '' }
    summary.add(statement({ count: 0, days: none, balances: [balance('opening', '1.00')] }))
    expect(summary.end([]).accounts).toMatchObject([
      { rows: 0, from: null, to: null, hasBalance: false },
    ])
  })

  test.each([
    ['fit the rows', ['1.00', '3.50'], 250, false],
    ['fit the rows with the signs of a debt', ['3.50', '1.00'], 250, false],
    ['do not fit them', ['1.00', '3.50'], 240, true],
  ])('says where balances %s', (_case, [opening, closing], posted, isMissing) => {
    const summary = createSummary()
    const balances = [balance('opening', opening ?? ''), balance('closing', closing ?? '')]
    summary.add(statement({ balances, posted }))
    const missing = [{ code: 'BALANCE_MISMATCH', lost: true }]
    expect(summary.end([]).notes).toEqual(isMissing ? missing : [])
  })

  test('compares the first with the last balance, and none of the day so far', () => {
    const summary = createSummary()
    const opening = balance('opening', '1.00')
    const interim = balance('closing', '9.00', { interim: true })
    const balances = [opening, balance('closing', '8.00'), balance('closing', '3.50'), interim]
    summary.add(statement({ balances, posted: 250 }))
    summary.add(statement({ balances: [opening, interim], posted: 1 }))
    summary.add(statement({ balances: [balance('closing', '3.50')], posted: 1 }))
    expect(summary.end([]).notes).toEqual([])
  })

  test('does not tell twice that a line is missing', () => {
    const mismatch = statement({
      balances: [balance('opening', '1.00'), balance('closing', '3.00')],
      posted: 1,
    })
    const notesAfter = (code: StatementIssue['code']) => {
      const summary = createSummary()
      summary.see({ kind: 'issue', issue: { line: 1, code, message: '' } })
      summary.see({ kind: 'period', period: {} })
      summary.add(mismatch)
      const first = summary.end([]).notes.length
      summary.add(mismatch)
      return [first, summary.end([]).notes.length]
    }
    // The statement after it is complete again.
    expect(notesAfter('INVALID_AMOUNT')).toEqual([0, 1])
    expect(notesAfter('MIXED_ENCODING')).toEqual([1, 2])
  })

  test('tells a hundred notes, and not what the page asks', () => {
    const issues: StatementIssue[] = [
      { line: 1, code: 'UNKNOWN_ACCOUNT', message: '' },
      { line: 2, code: 'UNKNOWN_CURRENCY', message: '' },
      { line: 3, code: 'MIXED_ENCODING', message: '' },
      { code: 'INVALID_DATE', message: '' },
    ]
    const { notes, moreNotes } = createSummary().end(issues)
    expect(notes).toEqual([
      { line: 3, code: 'MIXED_ENCODING', lost: false },
      { code: 'INVALID_DATE', lost: true },
    ])
    expect(moreNotes).toBe(0)
    const issue: StatementIssue = { line: 3, code: 'INVALID_DATE', message: '' }
    const many = createSummary().end(Array(103).fill(issue))
    expect([many.notes.length, many.moreNotes]).toEqual([100, 3])
  })
})

describe('the key of a row', () => {
  const keys = { hash: (text: string) => createHash('sha256').update(text).digest('base64url') }
  const row = {
    status: 'posted',
    amount: '1.50',
    currency: 'EUR',
    date: '2026-01-05',
    description: 'Mill',
    occurrence: 1,
    sharesId: false,
  } as StagedRow
  const whole = (key: string) => key.length

  test('has the same length whatever the row tells', () => {
    const { usual, exact, plain } = keysOf(keys, { ...row, id: 'a', sharesId: true })
    expect([usual, exact, plain, contentOf(keys, row)].map(whole)).toEqual([22, 22, 22, 22])
  })

  test('differs by each part of the row, and by where one part ends', () => {
    const keyOf = (more: object) => keysOf(keys, { ...row, ...more }).usual
    const contents = (more: object) => contentOf(keys, { ...row, ...more } as StagedRow)
    const parts = [{}, { date: '2026-01-06' }, { amount: '2' }, { description: 'M' }]
    const others = [...parts, { occurrence: 2 }, { id: 'a' }, { id: 'b' }]
    const shared = { id: 'a', sharesId: true }
    const all = [...others, ...parts.map((part) => ({ ...part, ...shared }))].map(keyOf)
    expect(new Set(all).size).toBe(all.length)
    const moved = [
      { date: '1', amount: '23' },
      { date: '12', amount: '3' },
    ]
    expect(new Set(moved.map(keyOf)).size).toBe(2)
    expect(new Set(moved.map((one) => keyOf({ ...one, ...shared }))).size).toBe(2)
    expect(new Set(moved.map(contents)).size).toBe(2)
    expect(new Set([...parts, { status: 'pending' }].map(contents)).size).toBe(5)
    // An operator corrected the sign.
    expect(keyOf({ amount: '-1.50', toldAmount: '1.50' })).toBe(keyOf({}))
    const { usual, exact, plain } = keysOf(keys, row)
    expect([exact, plain]).toEqual([usual, usual])
  })

  test('stays as it is stored', () => {
    const key = 'rUWlOeznIr1kBnnUtSpaO7'
    expect(keysOf(keys, row)).toEqual({ usual: key, exact: key, plain: key })
    const [plain, exact] = ['o9E7YNe9PtFAGyOgw3jxCu', 'GFFozmGwYsIUL0w2q0EXkT']
    expect(keysOf(keys, { ...row, id: 'a' })).toEqual({ usual: plain, exact, plain })
    expect(keysOf(keys, { ...row, id: 'a', sharesId: true }).usual).toBe(exact)
    expect(keyOfId(keys, 'a')).toBe(plain)
    expect(contentOf(keys, row)).toBe('ymk-F4R6Ze-uxlKNzT7T4I')
    const references = { end_to_end_id: 'a', transaction_id: 'a', uetr: 'a' }
    expect(referenceKeys(keys, { ...row, references })).toEqual([
      '7h8nM1ofza1ZZ7QDMgpjAq',
      'EmQtBlf2MSXo2sW_zShpTF',
      '3lumHZ1uT_rGNgVq_Wd7Ih',
    ])
  })

  test('of a reference is there for those that other banks know', () => {
    const references = { end_to_end_id: 'a', transaction_id: 'a', uetr: 'a', check_number: 'a' }
    const found = referenceKeys(keys, { ...row, references })
    expect(new Set(found).size).toBe(3)
    expect(referenceKeys(keys, row)).toEqual([])
  })
})

test('a statement begins without rows, and gives them in parts', async () => {
  const open = openStatement({ id: 'simplefin', keyVersion: 1 }, giro)
  expect(open).toMatchObject({
    balances: [],
    currencies: new Set(['EUR']),
    days: { from: '', to: '' },
    hasPending: false,
    isIntraday: false,
    isLive: true,
    isCovered: false,
    count: 0,
  })
  expect(await open.rows(0, 1)).toEqual([])
  open.staged.push(...Array.from({ length: 300 }, (_, occurrence) => ({ occurrence }) as StagedRow))
  const sizes = await Promise.all([open.rows(0, 1), open.rows(1, 2), open.rows(3, 1)])
  expect(sizes.map((rows) => [rows.length, rows[0]?.occurrence])).toEqual([
    [128, 0],
    [172, 128],
    [0, undefined],
  ])
})

describe('a typed balance', () => {
  test.each([
    ['1', 100],
    [' 1,5 ', 150],
    ['1.05', 105],
    ['-1.05', -105],
    ['−1.05', -105],
    ['+1.05', 105],
    ['1.234,56', 123_456],
    ["1'234'567.8", 123_456_780],
    ['1 234', 123_400],
    ['1.234', 123_400],
    ['0', 0],
    ['1234567890123', 123_456_789_012_300],
  ])('%s', (text, minor) => {
    expect(readBalance(text)).toBe(minor)
  })

  test.each([
    '',
    '-',
    'x1',
    '1x',
    '1.2345',
    '12.34.56',
    '1.234,567.8',
    '1234.567',
    '12345678901234',
  ])('"%s" is none', (text) => {
    expect(readBalance(text)).toBeUndefined()
  })
})
