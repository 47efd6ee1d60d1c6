import type { Queries } from '../kernel/database.ts'

/**
 * Thrown by the first write of a handler that usually only reads. The handler then runs again in a
 * transaction.
 */
export class WriteNeeded extends Error {}

/** The same functions, without those that write. */
export const readOnly = (db: Queries): Queries => ({
  all: db.all,
  first: db.first,
  run: () => Promise.reject(new WriteNeeded()),
  forUpdate: db.forUpdate,
  skipLocked: db.skipLocked,
})
