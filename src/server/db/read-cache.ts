import type { Value } from '../kernel/database.ts'

/** More results, and values longer than any id or hash, are hardly read again. */
const mostCached = 1000
const longestKey = 1000

/** The rows that statements have found since the last write. */
export interface ReadCache {
  /** Returns the rows that the statement found before, or else reads them. */
  find<Row>(sql: string, values: readonly Value[], read: () => Promise<Row[]>): Promise<Row[]>
  /** Removes all entries; called before each write. */
  clear(): void
}

/**
 * Caches rows that only this process can change, such as the client that each request looks up. Each
 * write clears the cache, so the next request sees a revoked token or a clock that was set.
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
        // Several requests share them, so none may change them.
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
