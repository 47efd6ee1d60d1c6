import { type Database, type Work, WritesRejected } from '../kernel/database.ts'

/** Whether a database accepts writes, according to the latest ones. */
export interface WriteWatch {
  /** The same database, with its writes observed. */
  database: Database
  /** Why the last write was rejected, unless one has succeeded since. */
  rejection(): string | undefined
}

/** While writes fail, a single success does not prove recovery. */
const quietMs = 5000

/**
 * Records whether writes are rejected. A transaction may have nothing to write, so its success
 * proves nothing. Only `write` ends that state: it runs in the background when the state is read
 * and no write has failed for a while.
 */
export function watchWrites<Engine extends Database>(
  database: Engine,
  write: (database: Database) => Promise<unknown>,
  clock: () => number = () => performance.now(),
): WriteWatch & { database: Engine } {
  let rejected: { reason: string; at: number } | undefined
  let trying: Promise<void> | undefined

  const note = (error: unknown): void => {
    if (error instanceof WritesRejected) rejected = { reason: error.reason, at: clock() }
  }
  const noting = <Result>(work: Promise<Result>): Promise<Result> => {
    work.catch(note)
    return work
  }

  function tryAgain(): void {
    if (!rejected || trying || clock() - rejected.at < quietMs) return
    const since = rejected
    trying = write(database)
      .then(() => {
        if (rejected === since) rejected = undefined
      }, note)
      .finally(() => {
        trying = undefined
      })
  }

  return {
    database: {
      ...database,
      transaction: (work, options) => noting(database.transaction(work, options)),
      exclusive: <Result>(work: Work<Result>) => noting(database.exclusive(work)),
    },
    rejection() {
      tryAgain()
      return rejected?.reason
    },
  }
}
