import { createContaining, groupOf, invert, type Named, numberKeys } from './index-by.ts'
import { wordDistance } from './search-name.ts'

/** The words of all names. There are far fewer words than names, so comparing a query is fast. */
export interface Vocabulary<Entry> {
  /**
   * The entries that match a query, with the number of typing errors. Words may come in any order,
   * and their last letters may be missing. An extra or a missing space counts as one error.
   */
  similar(typed: string): Map<Entry, number>
}

/** For each word of the names, as its number, the distance to a word of the query. */
type Distances = ReadonlyMap<number, number>

// Cached, since users type the same words repeatedly.
const mostRemembered = 1000
const shortestRun = 4

export function createVocabulary<Entry extends Named>(
  entries: readonly Entry[],
): Vocabulary<Entry> {
  const words = numberKeys(entries, ({ search_name }) => search_name.split(' '))
  const places = invert(words.keys, words.numbers.size)
  const containing = createContaining(entries, ({ search_name }) => withoutSpaces(search_name))
  const remembered = new Map<string, Distances>()

  function distancesFrom(typed: string): Distances {
    const known = remembered.get(typed)
    if (known) return known
    const distances = new Map<number, number>()
    for (const [word, number] of words.numbers) {
      const distance = wordDistance(typed, word)
      if (distance !== undefined) distances.set(number, distance)
    }
    if (remembered.size === mostRemembered) remembered.clear()
    remembered.set(typed, distances)
    return distances
  }

  return {
    similar(typed) {
      const found = new Map<Entry, number>()
      const typedWords = typed.split(' ').map(distancesFrom)
      const [rarest] = [...typedWords].sort((one, other) => count(one) - count(other))
      for (const number of rarest?.keys() ?? []) {
        for (const place of groupOf(places, number)) {
          const distance = sumOf(typedWords, groupOf(words.keys, place))
          const entry = entries[place]
          if (distance !== undefined && entry) found.set(entry, distance)
        }
      }
      const letters = withoutSpaces(typed)
      if (letters.length < shortestRun) return found
      for (const entry of containing(letters)) {
        found.set(entry, Math.min(found.get(entry) ?? 1, 1))
      }
      return found
    },
  }

  function count(distances: Distances): number {
    let total = 0
    for (const number of distances.keys()) total += groupOf(places, number).length
    return total
  }
}

const withoutSpaces = (text: string): string => text.replaceAll(' ', '')

/**
 * The total distance over all words of the query, each compared with the closest word of a name.
 */
function sumOf(typed: readonly Distances[], words: Uint32Array): number | undefined {
  let sum = 0
  for (const distances of typed) {
    let best: number | undefined
    for (const word of words) {
      const distance = distances.get(word)
      if (distance !== undefined && (best === undefined || distance < best)) best = distance
    }
    if (best === undefined) return undefined
    sum += best
  }
  return sum
}
