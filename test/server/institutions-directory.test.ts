import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  createDirectory,
  type DirectoryEntry,
  type DirectoryRow,
  type Hit,
} from '../../src/server/institutions/directory.ts'
import { wordDistance } from '../../src/server/institutions/search-name.ts'

// A name may also look like an id or a routing number.
const words = [
  'lan',
  'lantern',
  'lanternbank',
  'bank',
  'quay',
  'tide',
  'water',
  'tidewater',
  'no',
].concat('ins_3', '021000021')
const name = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 4 })

const entry = fc.record({
  search_name: name.map((parts) => parts.join(' ')),
  country: fc.constantFrom('US', 'GB'),
  products: fc.subarray(['auth', 'transactions']),
  oauth: fc.constantFrom(0, 1),
  matches_auth: fc.constantFrom(0, 1),
  number: fc.constantFrom('021000021', '091000019'),
})

const entries = fc.array(entry, { maxLength: 40 }).map((list) =>
  list.map(
    ({ country, products, number, ...rest }, index): DirectoryRow => ({
      ...rest,
      client_id: '',
      // Not in the order of the rows: 41 is a prime number.
      institution_id: `ins_${(index * 7) % 41}`,
      products: JSON.stringify(products),
      country_codes: JSON.stringify([country]),
      routing_numbers: JSON.stringify([number]),
    }),
  ),
)

const filter = fc.record({
  countryCodes: fc.constantFrom(['US'], ['US', 'GB'], ['CA']),
  products: fc.subarray(['auth', 'transactions']),
  oauth: fc.constantFrom(undefined, true, false),
})

type Filter = typeof filter extends fc.Arbitrary<infer F> ? F : never

const passes = (row: DirectoryEntry, { countryCodes, products, oauth }: Filter): boolean =>
  countryCodes.some((code) => row.country_codes.includes(code)) &&
  products.every((product) => {
    return row.products.includes(product) || (product === 'auth' && row.matches_auth === 1)
  }) &&
  (oauth === undefined || row.oauth === Number(oauth))

const byName = (one: DirectoryEntry, other: DirectoryEntry): number =>
  one.search_name < other.search_name
    ? -1
    : one.search_name > other.search_name
      ? 1
      : one.institution_id < other.institution_id
        ? -1
        : 1

/** What is found by looking at every institution. */
function searchEach(rows: readonly DirectoryRow[], text: string, wanted: Filter): string[] {
  const rankOf = (row: DirectoryRow): number | undefined => {
    if (row.institution_id === text || row.search_name === text) return 0
    if (text !== '' && row.search_name.startsWith(text)) return 1
    const isNumber = row.routing_numbers.includes(`"${text}"`)
    return (text !== '' && row.search_name.includes(text)) || isNumber ? 2 : undefined
  }
  return rows
    .filter((row) => passes(row, wanted) && rankOf(row) !== undefined)
    .sort((one, other) => (rankOf(one) ?? 0) - (rankOf(other) ?? 0) || byName(one, other))
    .map((row) => row.institution_id)
}

const idsOf = (hits: readonly Hit[]): string[] => hits.map((hit) => hit.entry.institution_id)

/** Institutions differ in many ways, so each property needs many of them. */
const often = { numRuns: 500 }

describe('the directory of institutions', () => {
  test('finds what looking at every institution finds, in the same order', () => {
    const text = fc.constantFrom('lan', 'la', 'n', 'tern', 'bank', 'tide wa', 'ins_3', '021000021')
    fc.assert(
      fc.property(entries, text, filter, (rows, typed, wanted) => {
        const query = { text: typed, searchName: typed }
        const hits = createDirectory(rows).search(query, wanted, rows.length)
        expect(idsOf(hits)).toEqual(searchEach(rows, typed, wanted))
      }),
      often,
    )
  })

  test('finds the best ones where more match than are requested', () => {
    fc.assert(
      fc.property(entries, fc.constantFrom('lan', 'bank'), filter, (rows, typed, wanted) => {
        const query = { text: typed, searchName: typed }
        const hits = createDirectory(rows).search(query, wanted, 3)
        expect(idsOf(hits)).toEqual(searchEach(rows, typed, wanted).slice(0, 3))
      }),
      often,
    )
  })

  test('finds only ids and numbers for a text without a letter or digit', () => {
    fc.assert(
      fc.property(entries, filter, (rows, wanted) => {
        const query = { text: '--', searchName: '' }
        expect(createDirectory(rows).search(query, wanted, 10)).toEqual([])
      }),
    )
  })

  test('lists the first ones by name', () => {
    fc.assert(
      fc.property(entries, filter, fc.integer({ min: 0, max: 41 }), (rows, wanted, limit) => {
        const all = rows.filter((row) => passes(row, wanted)).sort(byName)
        const hits = createDirectory(rows).list(wanted, limit)
        expect(idsOf(hits)).toEqual(all.slice(0, limit).map((row) => row.institution_id))
        expect(hits.every(({ rank }) => rank === 0)).toBe(true)
      }),
    )
  })

  test('finds names with slips exactly where each typed word is near one of the name', () => {
    const typed = fc.constantFrom('latern', 'tidewatre', 'lantern bnak', 'quay lantern', 'tide')
    fc.assert(
      fc.property(entries, typed, filter, (rows, text, wanted) => {
        const directory = createDirectory(rows)
        const hits = directory.searchWithSlips(text, wanted, rows.length + 1)
        const near = rows.filter((row) => {
          const parts = row.search_name.split(' ')
          const isNear = text
            .split(' ')
            .every((word) => parts.some((part) => wordDistance(word, part) !== undefined))
          const isRun = parts.join('').includes(text.replaceAll(' ', ''))
          return (isNear || isRun) && passes(row, wanted)
        })
        expect(idsOf(hits).sort()).toEqual(near.map((row) => row.institution_id).sort())
        const ordered = [...hits].sort((one, other) => {
          return one.rank - other.rank || byName(one.entry, other.entry)
        })
        expect(hits).toEqual(ordered)
        expect(directory.searchWithSlips(text, wanted, 2)).toEqual(hits.slice(0, 2))
      }),
      often,
    )
  })

  test('ranks a name by the slips in it, and a missing or an extra space as one', () => {
    const named = (search_name: string): DirectoryRow => ({
      client_id: '',
      institution_id: search_name,
      search_name,
      products: '[]',
      country_codes: '["US"]',
      routing_numbers: '[]',
      oauth: 0,
      matches_auth: 0,
    })
    const names = ['lantern bank', 'lanterm bank', 'lanterm bamk', 'lanternbank', 'lan tern bank']
    const everything = { countryCodes: ['US'], products: [], oauth: undefined }
    const rankedFor = (typed: string) =>
      createDirectory(names.map(named))
        .searchWithSlips(typed, everything, 10)
        .map(({ entry, rank }) => [entry.search_name, rank])
    expect(rankedFor('lantern bank')).toEqual([
      ['lantern bank', 0],
      ['lan tern bank', 1],
      ['lanterm bank', 1],
      ['lanternbank', 1],
      ['lanterm bamk', 2],
    ])
    // A name of less than four letters is compared word by word only.
    expect(rankedFor('l a n')).toEqual([])
    expect(rankedFor('l ant')).toHaveLength(names.length)
  })
})

/** The edits between two texts. Swapping adjacent letters is one, and each part is edited once. */
function editsBetween(one: string, other: string): number {
  if (one === '' || other === '') return one.length + other.length
  const [first, second] = [one[0], one[1]]
  const rest = editsBetween(one.slice(1), other.slice(1))
  if (first === other[0]) return rest
  const options = [
    rest,
    editsBetween(one.slice(1), other),
    editsBetween(one, other.slice(1)),
    first === other[1] && second === other[0]
      ? editsBetween(one.slice(2), other.slice(2))
      : Number.POSITIVE_INFINITY,
  ]
  return 1 + Math.min(...options)
}

describe('a typed word', () => {
  test.each([
    ['tidewater', 'tidewater', 0],
    ['tide', 'tidewater', 0],
    ['tidwater', 'tidewater', 1],
    ['tidewtaer', 'tidewater', 1],
    ['tdiewtaer', 'tidewater', 2],
    ['tdiewtar', 'tidewater', undefined],
    ['tdewatar', 'tidewater', 2],
    ['tdewata', 'tidewater', undefined],
    ['bnak', 'bank', 1],
    ['bnka', 'bank', undefined],
    ['bak', 'bank', undefined],
    ['ba', 'bank', 0],
    ['bk', 'bank', undefined],
  ])('%s is that far from %s: %s', (typed, word, distance) => {
    expect(wordDistance(typed, word)).toBe(distance)
  })

  test('is as far from a word as from the nearest start of it', () => {
    const letters = (minLength: number) =>
      fc.string({ unit: fc.constantFrom('a', 'b'), minLength, maxLength: 8 })
    fc.assert(
      fc.property(letters(4), letters(0), (typed, word) => {
        const starts = Array.from({ length: word.length + 1 }, (_, end) => word.slice(0, end))
        const distance = Math.min(...starts.map((start) => editsBetween(typed, start)))
        const most = typed.length >= 8 ? 2 : 1
        expect(wordDistance(typed, word)).toBe(distance <= most ? distance : undefined)
      }),
      { numRuns: 300 },
    )
  })
})
