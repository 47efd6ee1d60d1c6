import type { Value } from '../kernel/database.ts'

/** Larger results, and values longer than any id or hash, are rarely read again. */
const mostCached = 1000
const longestKey = 1000

/** Caches the rows that statements have read since the last write. */
interface ReadCache {
  /** Returns the cached rows of the statement, or reads them. */
  find<Row>(sql: string, values: readonly Value[], read: () => Promise<Row[]>): Promise<Row[]>
  /** Removes all entries; called before each write. */
  clear(): void
}

/**
 * Caches rows that only this process can change, such as the client of each request. Each write
 * clears the cache, so the next request sees a revoked token or a changed clock.
 */
export function createReadCache(): ReadCache {
  const cached = new Map<string, Promise<unknown[]>>()
  return {
    find<Row>(sql: string, values: readonly Value[], read: () => Promise<Row[]>) {
      const isText = values.length > 0 && values.every((value) => typeof value === 'string')
      const key = isText ? [sql, ...values].join('\0') : ''
      if (!isText || key.length > longestKey) return read()
      const known = cached.get(key)
      if (known) return known as Promise<Row[]>
      if (cached.size >= mostCached) cached.clear()
      const found = read().then((rows) => {
        // Several requests share these rows, so no request may change them.
        for (const row of rows) Object.freeze(row)
        return rows
      })
      cached.set(key, found)
      found.catch(() => cached.delete(key))
      return found
    },
    clear: () => cached.clear(),
  }
}
