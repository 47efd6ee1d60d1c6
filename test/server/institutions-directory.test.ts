import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createDirectory, type DirectoryEntry } from '../../src/server/institutions/directory.ts'
import { wordDistance } from '../../src/server/institutions/search-name.ts'

const words = ['lan', 'lantern', 'lanternbank', 'bank', 'quay', 'tide', 'water', 'tidewater', 'no']
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
    ({ country, products, number, ...rest }, index): DirectoryEntry => ({
      ...rest,
      client_id: '',
      institution_id: `ins_${index}`,
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
function searchEach(rows: readonly DirectoryEntry[], text: string, wanted: Filter): string[] {
  const rankOf = (row: DirectoryEntry): number | undefined => {
    if (row.institution_id === text || row.search_name === text) return 0
    if (row.search_name.startsWith(text)) return 1
    const isNumber = row.routing_numbers.includes(`"${text}"`)
    return row.search_name.includes(text) || isNumber ? 2 : undefined
  }
  return rows
    .filter((row) => passes(row, wanted) && rankOf(row) !== undefined)
    .sort((one, other) => (rankOf(one) ?? 0) - (rankOf(other) ?? 0) || byName(one, other))
    .slice(0, 10)
    .map((row) => row.institution_id)
}

describe('the directory of institutions', () => {
  test('finds what looking at every institution finds, in the same order', () => {
    const text = fc.constantFrom('lan', 'la', 'n', 'tern', 'bank', 'tide wa', 'ins_3', '021000021')
    fc.assert(
      fc.property(entries, text, filter, (rows, typed, wanted) => {
        const query = { text: typed, searchName: typed }
        const hits = createDirectory(rows).search(query, wanted, 10)
        expect(hits.map((hit) => hit.entry.institution_id)).toEqual(searchEach(rows, typed, wanted))
      }),
    )
  })

  test('finds names with slips exactly where each typed word is near one of the name', () => {
    const typed = fc.constantFrom('latern', 'tidewatre', 'lantern bnak', 'quay lantern', 'tide')
    fc.assert(
      fc.property(entries, typed, (rows, text) => {
        const everything = { countryCodes: ['US', 'GB'], products: [], oauth: undefined }
        const hits = createDirectory(rows).searchWithSlips(text, everything, rows.length + 1)
        const near = rows.filter((row) => {
          const parts = row.search_name.split(' ')
          const isNear = text
            .split(' ')
            .every((word) => parts.some((part) => wordDistance(word, part) !== undefined))
          const isRun = parts.join('').includes(text.replaceAll(' ', ''))
          return isNear || isRun
        })
        const found = hits.map((hit) => hit.entry.institution_id)
        expect(found.sort()).toEqual(near.map((row) => row.institution_id).sort())
      }),
    )
  })
})

describe('a typed word', () => {
  test.each([
    ['tidewater', 'tidewater', 0],
    ['tide', 'tidewater', 0],
    ['tidwater', 'tidewater', 1],
    ['tidewtaer', 'tidewater', 1],
    ['tdiewtaer', 'tidewater', 2],
    ['tdiewtar', 'tidewater', undefined],
    ['bnak', 'bank', 1],
    ['bnka', 'bank', undefined],
    ['bk', 'bank', undefined],
  ])('%s is that far from %s: %s', (typed, word, distance) => {
    expect(wordDistance(typed, word)).toBe(distance)
  })
})
