/** Entries that can be found by their name. */
export interface Named {
  search_name: string
}

/** The entries by each of their keys, in their order. */
export function indexBy<Entry>(
  entries: readonly Entry[],
  keysOf: (entry: Entry) => Iterable<string>,
): Map<string, Entry[]> {
  const index = new Map<string, Entry[]>()
  for (const entry of entries) {
    for (const key of new Set(keysOf(entry))) {
      const list = index.get(key)
      if (list) list.push(entry)
      else index.set(key, [entry])
    }
  }
  return index
}

/** The length of the indexed substrings. For shorter queries all texts are scanned. */
const gramLength = 3

const gramsOf = (text: string): string[] =>
  Array.from({ length: Math.max(0, text.length - gramLength + 1) }, (_, start) =>
    text.slice(start, start + gramLength),
  )

/** Finds the entries whose text contains another, in their order. */
export function createContaining<Entry>(
  entries: readonly Entry[],
  textOf: (entry: Entry) => string,
): (part: string) => Iterable<Entry> {
  const byGram = indexBy(entries, (entry) => gramsOf(textOf(entry)))
  return function* containing(part) {
    let fewest: readonly Entry[] = entries
    for (const gram of gramsOf(part)) {
      const list = byGram.get(gram) ?? []
      if (list.length < fewest.length) fewest = list
    }
    for (const entry of fewest) if (textOf(entry).includes(part)) yield entry
  }
}
