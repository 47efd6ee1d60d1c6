import { type Database, type Work, WritesRefused } from '../kernel/database.ts'

/** Whether a database takes writes, as far as those tell that were tried. */
export interface WriteWatch {
  /** The same database, whose writes are watched. */
  database: Database
  /** Why the last write was refused, unless one has succeeded since. */
  refusal(): string | undefined
}

/** While writes fail, one that happens to find room says nothing yet. */
const quietMs = 5000

/**
 * Notes whether writes are refused. Only a write of its own ends that, since a transaction may have
 * nothing to write: `write` is tried in the background when somebody asks, once no other has failed
 * for a while.
 */
export function watchWrites<Engine extends Database>(
  database: Engine,
  write: (database: Database) => Promise<unknown>,
  clock: () => number = () => performance.now(),
): WriteWatch & { database: Engine } {
  let refused: { reason: string; at: number } | undefined
  let trying: Promise<void> | undefined

  const note = (error: unknown): void => {
    if (error instanceof WritesRefused) refused = { reason: error.reason, at: clock() }
  }
  const noting = <Result>(work: Promise<Result>): Promise<Result> => {
    work.catch(note)
    return work
  }

  function tryAgain(): void {
    if (!refused || trying || clock() - refused.at < quietMs) return
    const since = refused
    trying = write(database)
      .then(() => {
        if (refused === since) refused = undefined
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
    refusal() {
      tryAgain()
      return refused?.reason
    },
  }
}
