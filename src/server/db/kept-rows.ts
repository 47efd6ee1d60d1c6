import type { Value } from '../kernel/database.ts'

/** More are not wanted again and again, nor are texts that are longer than any id or hash. */
const mostKept = 1000
const longestKey = 1000

/** Rows that statements have found, for as long as nothing is written. */
export interface KeptRows {
  /** What the statement has found since the last write, or finds now. */
  find<Row>(sql: string, values: readonly Value[], read: () => Promise<Row[]>): Promise<Row[]>
  /** Called before anything is written: from then on nothing is kept that was found before. */
  forget(): void
}

/**
 * Keeps what one process alone can change, as the row of the client that each call looks up: a write
 * ends it all, so that a revoked token or a moved clock is seen by the call after it.
 */
export function createKeptRows(): KeptRows {
  const kept = new Map<string, Promise<unknown[]>>()
  return {
    find<Row>(sql: string, values: readonly Value[], read: () => Promise<Row[]>) {
      const isText = values.length > 0 && values.every((value) => typeof value === 'string')
      const key = isText ? [sql, ...values].join('\0') : ''
      if (!isText || key.length > longestKey) return read()
      const known = kept.get(key)
      if (known) return known as Promise<Row[]>
      if (kept.size >= mostKept) kept.clear()
      const found = read().then((rows) => {
        // Several calls have them, so nobody may change them.
        for (const row of rows) Object.freeze(row)
        return rows
      })
      kept.set(key, found)
      found.catch(() => kept.delete(key))
      return found
    },
    forget: () => kept.clear(),
  }
}
