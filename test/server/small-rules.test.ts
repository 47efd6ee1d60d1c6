import { describe, expect, test } from 'vitest'
import { toIdentityDocument } from '../../src/server/identity-verification/document.ts'
import { createContaining } from '../../src/server/institutions/index-by.ts'
import { toSearchName, wordDistance } from '../../src/server/institutions/search-name.ts'
import type { AccountRow } from '../../src/server/items/account-store.ts'
import type { ItemRow } from '../../src/server/items/store.ts'
import { readListCursor, toListCursor } from '../../src/server/kernel/list-cursor.ts'
import {
  fromDecimal,
  isWholeCents,
  toAmount,
  toDecimal,
  toMinor,
} from '../../src/server/kernel/money.ts'
import {
  addDays,
  countDays,
  readTimestamp,
  toDate,
  toTimestamp,
} from '../../src/server/kernel/time.ts'
import { toChangedBalances } from '../../src/server/sandbox/items/balances.ts'
import { chooseScopes } from '../../src/server/tokens/scope.ts'
import { isGivenUp, nextDelay } from '../../src/server/worker/webhooks/retry.ts'

// What is too small to be seen in an answer, one by one.

describe('an amount', () => {
  test.each([
    [0, '0.00'],
    [5, '0.05'],
    [-5, '-0.05'],
    [245_10, '245.10'],
    [-245_10, '-245.10'],
    [100, '1.00'],
  ])('of %i minor units is %s', (minor, decimal) => {
    expect(toDecimal(minor)).toBe(decimal)
    expect(fromDecimal(decimal)).toBe(minor)
    expect(toAmount(minor)).toBe(Number(decimal))
    expect(toMinor(Number(decimal))).toBe(minor)
  })

  test.each([
    [0.29, true],
    [1.005, false],
    [1_000_000.01, true],
    [0.001, false],
  ])('%d is whole cents: %s', (amount, whole) => expect(isWholeCents(amount)).toBe(whole))
})

test.each([
  ['2026-03-01', '2026-03-01', 0],
  ['2026-02-27', '2026-03-02', 3],
  ['2026-03-02', '2026-02-27', -3],
])('from %s to %s it is %i days', (from, to, days) => expect(countDays(from, to)).toBe(days))

describe('entries that contain a text', () => {
  const names = ['harbor bank', 'harbor union', 'lantern bank', 'an', 'banana']
  const looked: string[] = []
  const containing = createContaining(names, (name) => {
    looked.push(name)
    return name
  })
  const find = (part: string) => {
    looked.length = 0
    return [...containing(part)]
  }

  test.each([
    ['harbor', ['harbor bank', 'harbor union']],
    ['r u', ['harbor union']],
    ['bank', ['harbor bank', 'lantern bank']],
    ['an', ['harbor bank', 'lantern bank', 'an', 'banana']],
    ['', names],
    ['bankk', []],
    ['xyz', []],
  ])('%j are found in their order', (part, found) => expect(find(part)).toEqual(found))

  test('are compared only where their rarest three letters are', () => {
    expect([find('ern'), looked]).toEqual([['lantern bank'], ['lantern bank']])
    // `bank` is in two names, and the three letters `nan` in one.
    expect([find('banan'), looked]).toEqual([['banana'], ['banana']])
    expect([find('banking'), looked]).toEqual([[], []])
  })
})

describe('the age of a changed balance', () => {
  const account = { current: 5, last_updated_datetime: '2026-02-01T00:00:00Z' } as AccountRow
  const given = '2026-03-01T00:00:00Z'
  // The contract names the one institution that says how old its balances are.
  test.each([
    ['ins_128026', undefined, account.last_updated_datetime],
    ['ins_128026', given, given],
    ['ins_109508', undefined, account.last_updated_datetime],
    ['ins_109508', given, null],
  ])('of %s, with %s given, is %s', (institution_id, last_updated_datetime, expected) => {
    const input = last_updated_datetime ? { last_updated_datetime } : {}
    const changed = toChangedBalances({ institution_id } as ItemRow, account, input)
    expect(changed).toMatchObject({ current: 5, last_updated_datetime: expected })
  })
})

describe('a date-time', () => {
  test.each([
    ['2026-03-16T14:05:09Z', '2026-03-16T14:05:09Z'],
    ['2026-03-16t14:05:09z', '2026-03-16T14:05:09Z'],
    ['2026-03-16 14:05:09Z', '2026-03-16T14:05:09Z'],
    ['2026-03-16T14:05:09.999Z', '2026-03-16T14:05:09Z'],
    ['2026-03-16T14:05:09+01:30', '2026-03-16T12:35:09Z'],
    ['2026-03-16T14:05:09-01:30', '2026-03-16T15:35:09Z'],
    ['2026-03-16T14:05:09+02', '2026-03-16T12:05:09Z'],
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00Z'],
    ['0000-01-01T00:00:00+01:00', '0000-01-01T00:00:00Z'],
    ['9999-12-31T23:59:59-01:00', '9999-12-31T23:59:59Z'],
  ])('%s is the moment %s', (text, moment) => {
    expect(toTimestamp(readTimestamp(text))).toBe(moment)
    expect(toDate(moment)).toBe(moment.split('T')[0])
  })

  test('counts days over the end of a month, a year and a leap day', () => {
    expect(addDays('2024-02-28', 2)).toBe('2024-03-01')
    expect(addDays('2026-01-01', -1)).toBe('2025-12-31')
  })
})

describe('a cursor of a list', () => {
  test.each([0, 1, 25, 9_999_999])('leads back to %i', (sequence) => {
    expect(readListCursor('wallets', toListCursor('wallets', sequence))).toBe(sequence)
  })

  test.each([
    ['of another list', toListCursor('users', 1)],
    ['without a number', Buffer.from('wallets').toString('base64url')],
    ['with a number too long', Buffer.from(`wallets:${'1'.repeat(17)}`).toString('base64url')],
    ['with a number written oddly', Buffer.from('wallets:01').toString('base64url')],
    ['with more behind it', Buffer.from('wallets:1x').toString('base64url')],
    ['with more after a colon', Buffer.from('wallets:1:2').toString('base64url')],
    ['that no one made', '!'],
  ])('%s is rejected', (_, cursor) => {
    expect(() => readListCursor('wallets', cursor)).toThrow('`cursor`')
  })
})

describe('a name that is searched', () => {
  test.each([
    ['Crédit Ágricole', 'credit agricole'],
    ["St. John's Bank", 'st johns bank'],
    ['A&B  Trust', 'a and b trust'],
    ['  Bank—of “Tides” ', 'bank of tides'],
  ])('%s is compared as %s', (name, compared) => expect(toSearchName(name)).toBe(compared))

  test.each([
    ['tide', 'tidewater', 0],
    ['tied', 'tide', 1],
    ['tyde', 'tidewater', 1],
    ['tde', 'tide', undefined],
    ['tdew', 'tidew', 1],
    ['tiidewater', 'tidewater', 1],
    ['tidweater', 'tidewater', 1],
    ['tydewatar', 'tidewater', 2],
    ['tydawatar', 'tidewater', undefined],
    ['xxxx', 'tide', undefined],
    ['tidewaters', 'tidew', undefined],
    ['lantern', 'lanern', 1],
  ])('%s is so far from the start of %s: %s', (word, candidate, distance) => {
    expect(wordDistance(word, candidate)).toBe(distance)
  })
})

describe('the scopes of a token', () => {
  test('are those that are allowed, those that were asked for, or none', () => {
    const allowed = ['user:read', 'user:write'] as const
    expect(chooseScopes(undefined, allowed)).toEqual(allowed)
    expect(chooseScopes('user:write user:read', allowed)).toEqual(allowed)
    expect(chooseScopes('user:write', allowed)).toEqual(['user:write'])
    expect(() => chooseScopes('user:read exchange', allowed)).toThrow('`scope`')
  })
})

describe('a webhook that failed', () => {
  const day = 24 * 60 * 60 * 1000

  test('is sent again after longer and longer, seven times in all and within a day', () => {
    const delays = [1, 2, 3, 4, 5, 6, 7].map((made) => nextDelay(made, 0))
    expect(delays).toEqual([30_000, 120_000, 480_000, 1_920_000, 7_680_000, 30_720_000, null])
    expect(nextDelay(1, day - 30_000)).toBe(30_000)
    expect(nextDelay(1, day - 29_999)).toBeNull()
  })

  test.each([
    [9, 9, false],
    [10, 10, true],
    [10, 9, false],
    [100, 91, true],
    [100, 90, false],
  ])('of %i attempts that were rejected %i times, gives up: %s', (attempts, rejected, given) => {
    expect(isGivenUp({ attempts, rejected })).toBe(given)
  })
})

describe('an identity document', () => {
  const address = {
    street: '1 A Road',
    street2: 'Flat 2',
    city: 'Alder',
    region: 'OR',
    postal_code: '97031',
  }
  const documentOf = (user: object) =>
    toIdentityDocument({
      id: 'idv_1',
      created_at: '2026-03-15T10:02:11Z',
      user,
      evidence: {},
    } as never)

  test.each([
    ['1991-07-23', '07-23'],
    ['1992-02-29', '02-28'],
  ])('of someone born on %s ends on %s of a later year', (date_of_birth, day) => {
    const { expiration_date } = documentOf({ date_of_birth, name: null, address: null }).data
    expect(expiration_date?.slice(5)).toBe(day)
    expect(Number(expiration_date?.slice(0, 4))).toBeGreaterThan(2027)
  })

  test.each(['Flat 2', '', null])('shows an address with %j in one line', (street2) => {
    const user = {
      date_of_birth: null,
      name: null,
      address: { ...address, street2, country: 'US' },
    }
    const { data, hasBack } = documentOf(user)
    expect(data).toMatchObject({ category: 'drivers_license', issuing_region: 'OR' })
    expect(data.address?.street).toBe(street2 ? '1 A Road Flat 2' : '1 A Road')
    expect(data.id_number).toMatch(/^[KMTX]\d{7}$/)
    expect(hasBack).toBe(true)
  })

  test('has no address where the user gave no more than a part of one', () => {
    const user = {
      date_of_birth: null,
      name: null,
      address: { ...address, city: null, country: 'US' },
    }
    expect(documentOf(user).data.address).toBeNull()
  })

  test('elsewhere is a passport, without an address', () => {
    const user = { date_of_birth: null, name: null, address: { ...address, country: 'GB' } }
    const { data, hasBack } = documentOf(user)
    expect(data).toMatchObject({
      category: 'passport',
      issuing_country: 'GB',
      issuing_region: null,
    })
    expect([data.address, hasBack]).toEqual([null, false])
  })
})
