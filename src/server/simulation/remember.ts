/** A function whose latest results are kept. */
export interface Remembered<Key, Value> {
  (key: Key): Value
  /** Forgets all results but so many of the latest. */
  keepLatest(count: number): void
}

/** The limit keeps the memory of a long history constant. */
export function remember<Key, Value>(
  limit: number,
  make: (key: Key) => Value,
): Remembered<Key, Value> {
  const known = new Map<Key, Value>()
  const keepLatest = (count: number): void => {
    for (const key of known.keys()) {
      if (known.size <= count) return
      known.delete(key)
    }
  }
  const recall = (key: Key): Value => {
    const found = known.get(key)
    if (found !== undefined) return found
    const value = make(key)
    keepLatest(limit - 1)
    known.set(key, value)
    return value
  }
  return Object.assign(recall, { keepLatest })
}
