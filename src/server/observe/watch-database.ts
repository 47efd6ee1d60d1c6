import { type Database, type Queries, SecondStatement, type Work } from '../kernel/database.ts'
import type { DatabaseWork, Telemetry } from '../kernel/telemetry.ts'

/** Returns the database with telemetry for all work. */
export function watchDatabase<Engine extends Database>(
  database: Engine,
  telemetry: Pick<Telemetry, 'database'>,
): Engine {
  const watched = <Result>(
    kind: DatabaseWork,
    run: (onBegin: () => void) => Promise<Result>,
  ): Promise<Result> => {
    const { begun, ended } = telemetry.database(kind)
    const asked = performance.now()
    let first = 0
    let tries = 0
    const end = (failed: boolean) => {
      const now = performance.now()
      const waitedMs = (tries > 0 ? first : now) - asked
      ended({ waitedMs, ms: now - asked - waitedMs, tries, failed })
    }
    const onBegin = () => {
      tries += 1
      if (tries > 1) return
      first = performance.now()
      begun()
    }
    return run(onBegin).then(
      (result) => {
        end(false)
        return result
      },
      (error) => {
        // The caller runs it again as ordinary work, so nothing has failed.
        end(!(error instanceof SecondStatement))
        throw error
      },
    )
  }
  const telling =
    <Result>(work: Work<Result>, onBegin: () => void): Work<Result> =>
    (queries) => {
      onBegin()
      return work(queries)
    }
  return {
    ...database,
    single: watchSingle(database.single, watched),
    transaction: (work, options) =>
      watched('transaction', (begin) => database.transaction(telling(work, begin), options)),
    read: (work, options) =>
      watched('read', (begin) => database.read(telling(work, begin), options)),
    exclusive: (work) =>
      watched('transaction', (begin) => database.exclusive(telling(work, begin))),
  }
}

type Watched = <Result>(
  kind: DatabaseWork,
  run: (onBegin: () => void) => Promise<Result>,
) => Promise<Result>

/** The start of a single statement is not known, so all of its time counts as its duration. */
function watchSingle(single: Queries, watched: Watched): Queries {
  const atOnce = <Result>(work: () => Promise<Result>): Promise<Result> =>
    watched('statement', (begin) => {
      begin()
      return work()
    })
  return {
    ...single,
    all: (sql, values) => atOnce(() => single.all(sql, values)),
    first: (sql, values) => atOnce(() => single.first(sql, values)),
  }
}
