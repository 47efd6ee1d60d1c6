import type { Queries } from '../kernel/database.ts'

/** Thrown by the first write of a handler that mostly reads: it is then run again in a transaction. */
export class WriteNeeded extends Error {}

/** The same statements, but for those that write. */
export const readOnly = (db: Queries): Queries => ({
  all: db.all,
  first: db.first,
  run: () => Promise.reject(new WriteNeeded()),
  forUpdate: db.forUpdate,
  skipLocked: db.skipLocked,
})
