import { type Database, type Work, WritesRejected } from '../kernel/database.ts'

/** Whether a database accepts writes, by the results of the latest ones. */
export interface WriteWatch {
  /** The same database, whose writes are watched. */
  database: Database
  /** Why the last write was rejected, unless one has succeeded since. */
  rejection(): string | undefined
}

/** While writes fail, one that succeeds by chance means nothing yet. */
const quietMs = 5000

/**
 * Notes whether writes are rejected. Only a write of its own ends that, since a transaction may have
 * nothing to write: `write` is tried in the background when somebody asks, once no other has failed
 * for a while.
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
