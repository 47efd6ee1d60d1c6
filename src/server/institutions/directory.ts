import { createContaining, entriesAt, indexBy } from './index-by.ts'
import { createVocabulary } from './word-index.ts'

/** An institution, with what results are filtered and sorted by. */
export interface DirectoryEntry {
  client_id: string
  institution_id: string
  search_name: string
  /** JSON arrays, in which searches look for a quoted element. */
  products: string
  country_codes: string
  oauth: number
  matches_auth: number
}

/** All that it is found by. */
export interface DirectoryRow extends DirectoryEntry {
  /** A JSON array. */
  routing_numbers: string
}

/** The filters of a search besides the name. */
export interface SearchFilter {
  countryCodes: readonly string[]
  products: readonly string[]
  oauth: boolean | undefined
}

export interface SearchQuery {
  /** The query without surrounding spaces. It may be an id or a routing number. */
  text: string
  searchName: string
}

/** A match. A smaller rank is a better match. */
export interface Hit {
  entry: DirectoryEntry
  rank: number
}

/** The institutions of one data set, indexed so that searches need not scan all of them. */
export interface Directory {
  /** By id, routing number or part of the name. */
  search(query: SearchQuery, filter: SearchFilter, limit: number): Hit[]
  /** By names that may contain typing errors. */
  searchWithSlips(searchName: string, filter: SearchFilter, limit: number): Hit[]
  /** The first ones in the order of their names. */
  list(filter: SearchFilter, limit: number): Hit[]
}

export const compareHits = (one: Hit, other: Hit): number =>
  one.rank - other.rank || compareEntries(one.entry, other.entry)

const compareEntries = (one: DirectoryEntry, other: DirectoryEntry): number =>
  compareTexts(one.search_name, other.search_name) ||
  compareTexts(one.institution_id, other.institution_id)

const compareTexts = (one: string, other: string): number =>
  one < other ? -1 : one > other ? 1 : 0

export function createDirectory(rows: readonly DirectoryRow[]): Directory {
  const sorted = [...rows].sort(compareEntries)
  const entries = toEntries(sorted)
  const containing = createContaining(entries, ({ search_name }) => search_name)
  const byNumber = indexBy(sorted, (row) => JSON.parse(row.routing_numbers) as string[])
  const byId = indexBy(entries, (entry) => [entry.institution_id])
  const vocabulary = createVocabulary(entries)

  function* startingWith(text: string): Generator<DirectoryEntry> {
    for (let place = firstFrom(entries, text); place < entries.length; place += 1) {
      const entry = entries[place]
      if (!entry?.search_name.startsWith(text)) return
      yield entry
    }
  }

  return {
    search({ text, searchName }, filter, limit) {
      const hits = new Map<DirectoryEntry, number>()
      const add = (rank: number, found: Iterable<DirectoryEntry>) => {
        for (const entry of found) {
          if (hits.size === limit) return
          if (!hits.has(entry) && passes(entry, filter)) hits.set(entry, rank)
        }
      }
      add(0, entriesAt(entries, byId(text)))
      // A query without a letter or digit matches no name.
      if (searchName !== '') {
        for (const entry of startingWith(searchName)) {
          if (hits.size === limit) break
          add(entry.search_name === searchName ? 0 : 1, [entry])
        }
      }
      add(2, entriesAt(entries, byNumber(text)))
      if (searchName !== '') add(2, containing(searchName))
      return [...hits].map(([entry, rank]) => ({ entry, rank })).sort(compareHits)
    },
    searchWithSlips(searchName, filter, limit) {
      const hits: Hit[] = []
      for (const [entry, rank] of vocabulary.similar(searchName)) {
        if (passes(entry, filter)) hits.push({ entry, rank })
      }
      return hits.sort(compareHits).slice(0, limit)
    },
    list(filter, limit) {
      const hits: Hit[] = []
      for (const entry of entries) {
        if (hits.length === limit) break
        if (passes(entry, filter)) hits.push({ entry, rank: 0 })
      }
      return hits
    },
  }
}

/** Thousands of institutions have the same few lists. Each of these texts is kept once. */
function toEntries(rows: readonly DirectoryRow[]): DirectoryEntry[] {
  const texts = new Map<string, string>()
  const shared = (text: string): string => {
    const known = texts.get(text) ?? text
    texts.set(text, known)
    return known
  }
  return rows.map((row) => ({
    client_id: shared(row.client_id),
    institution_id: row.institution_id,
    search_name: row.search_name,
    products: shared(row.products),
    country_codes: shared(row.country_codes),
    oauth: row.oauth,
    matches_auth: row.matches_auth,
  }))
}

/** The index of the first entry whose name is not before a text. */
function firstFrom(entries: readonly DirectoryEntry[], text: string): number {
  let [low, high] = [0, entries.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((entries[middle] as DirectoryEntry).search_name < text) low = middle + 1
    else high = middle
  }
  return low
}

function passes(entry: DirectoryEntry, { countryCodes, products, oauth }: SearchFilter): boolean {
  const lists = (json: string, element: string) => json.includes(`"${element}"`)
  if (oauth !== undefined && entry.oauth !== Number(oauth)) return false
  if (!countryCodes.some((code) => lists(entry.country_codes, code))) return false
  return products.every((product) => {
    return lists(entry.products, product) || (product === 'auth' && entry.matches_auth === 1)
  })
}
