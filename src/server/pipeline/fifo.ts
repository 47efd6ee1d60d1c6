/** First in, first out. */
export interface Fifo<Entry> {
  length(): number
  push(entry: Entry): void
  first(): Entry | undefined
  shift(): Entry | undefined
}

export function createFifo<Entry>(): Fifo<Entry> {
  const entries: (Entry | undefined)[] = []
  let first = 0
  return {
    length: () => entries.length - first,
    push: (entry) => void entries.push(entry),
    first: () => entries[first],
    shift() {
      if (first === entries.length) return undefined
      const entry = entries[first]
      entries[first] = undefined
      first += 1
      // Taking them off one by one would move all that are behind.
      if (first === entries.length || (first > 1000 && first > entries.length / 2)) {
        entries.splice(0, first)
        first = 0
      }
      return entry
    },
  }
}
