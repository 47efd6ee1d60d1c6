import { createContaining, indexBy, type Named } from './index-by.ts'
import { wordDistance } from './search-name.ts'

/** The words of many names: far fewer than the names, so that comparing a typed one is quick. */
export interface Vocabulary<Entry> {
  /**
   * The entries that a typed name may mean, with the slips of the keyboard between both. Words may
   * come in any order, the last letters of each may be missing, and a space too many or too few is
   * one slip.
   */
  similar(typed: string): Map<Entry, number>
}

/** By word of the names, how many slips away a typed word is. */
type Distances = ReadonlyMap<string, number>

// The same words are typed again and again.
const mostRemembered = 1000
const shortestRun = 4

export function createVocabulary<Entry extends Named>(
  entries: readonly Entry[],
): Vocabulary<Entry> {
  const names = entries.map((entry) => ({
    entry,
    words: entry.search_name.split(' '),
    run: withoutSpaces(entry.search_name),
  }))
  const byWord = indexBy(names, ({ words }) => words)
  const containing = createContaining(names, ({ run }) => run)
  const remembered = new Map<string, Distances>()

  function distancesFrom(typed: string): Distances {
    const known = remembered.get(typed)
    if (known) return known
    const distances = new Map<string, number>()
    for (const word of byWord.keys()) {
      const distance = wordDistance(typed, word)
      if (distance !== undefined) distances.set(word, distance)
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
      for (const word of rarest?.keys() ?? []) {
        for (const { entry, words } of byWord.get(word) ?? []) {
          const distance = sumOf(typedWords, words)
          if (distance !== undefined) found.set(entry, distance)
        }
      }
      const letters = withoutSpaces(typed)
      if (letters.length < shortestRun) return found
      for (const { entry } of containing(letters))
        found.set(entry, Math.min(found.get(entry) ?? 1, 1))
      return found
    },
  }

  function count(distances: Distances): number {
    let total = 0
    for (const word of distances.keys()) total += byWord.get(word)?.length ?? 0
    return total
  }
}

const withoutSpaces = (text: string): string => text.replaceAll(' ', '')

/** The slips over all typed words, each at its best place among a name's words. */
function sumOf(typed: readonly Distances[], words: readonly string[]): number | undefined {
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
