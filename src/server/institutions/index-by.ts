/** Entries that can be found by their name. */
export interface Named {
  search_name: string
}

/** The entries that have a key: their places in the list, in ascending order. */
type Index = (key: string) => Uint32Array

const nowhere = new Uint32Array()

/**
 * Indexes entries by their keys. The places of all keys are in one array: an array for each key would
 * take several times the memory.
 */
export function indexBy<Entry>(
  entries: readonly Entry[],
  keysOf: (entry: Entry) => Iterable<string>,
): Index {
  const { numbers, keys } = numberKeys(entries, keysOf)
  const places = invert(keys, numbers.size)
  return (key) => {
    const number = numbers.get(key)
    return number === undefined ? nowhere : groupOf(places, number)
  }
}

/** Keys as numbers, counted from 0, and those of each entry. */
interface Numbered {
  numbers: ReadonlyMap<string, number>
  keys: Groups
}

/** Several lists of numbers, in one array: list `n` is from `starts[n]` to `starts[n + 1]`. */
interface Groups {
  starts: Uint32Array
  values: Uint32Array
}

export const groupOf = ({ starts, values }: Groups, number: number): Uint32Array =>
  values.subarray(starts[number], starts[number + 1])

export function numberKeys<Entry>(
  entries: readonly Entry[],
  keysOf: (entry: Entry) => Iterable<string>,
): Numbered {
  const numbers = new Map<string, number>()
  const [starts, values] = [[0], [] as number[]]
  for (const entry of entries) {
    for (const key of new Set(keysOf(entry))) {
      const number = numbers.get(key) ?? numbers.size
      numbers.set(key, number)
      values.push(number)
    }
    starts.push(values.length)
  }
  return { numbers, keys: { starts: Uint32Array.from(starts), values: Uint32Array.from(values) } }
}

/** Of lists of numbers below `count` those lists, for each number, that have it. */
export function invert(lists: Groups, count: number): Groups {
  const starts = new Uint32Array(count + 1)
  for (const value of lists.values) starts[value + 1] = (starts[value + 1] ?? 0) + 1
  for (let value = 0; value < count; value += 1) {
    starts[value + 1] = (starts[value + 1] ?? 0) + (starts[value] ?? 0)
  }
  const free = starts.slice()
  const values = new Uint32Array(lists.values.length)
  for (let list = 0; list < lists.starts.length - 1; list += 1) {
    for (const value of groupOf(lists, list)) {
      const place = free[value] ?? 0
      values[place] = list
      free[value] = place + 1
    }
  }
  return { starts, values }
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
    for (const entry of rarest(gramsOf(part))) if (textOf(entry).includes(part)) yield entry
  }

  /** The entries that have the rarest of these, or without one all. */
  function rarest(grams: readonly string[]): Iterable<Entry> {
    const lists = grams.map(byGram)
    const [fewest] = lists.sort((one, other) => one.length - other.length)
    return fewest === undefined ? entries : entriesAt(entries, fewest)
  }
}

/** The entries at these places. */
export function* entriesAt<Entry>(
  entries: readonly Entry[],
  places: Iterable<number>,
): Generator<Entry> {
  for (const place of places) {
    const entry = entries[place]
    if (entry !== undefined) yield entry
  }
}
