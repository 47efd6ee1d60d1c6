import type { Database, Queries, Value, Work } from '../../src/server/kernel/database.ts'

/** A statement as the service has run it. */
export interface RecordedStatement {
  sql: string
  /** The values of the first time, and of the latest. */
  values: readonly (readonly Value[])[]
}

export interface Recording {
  database: Database
  /** Those that were run since it was last asked. */
  take(): RecordedStatement[]
}

/** The same database, which remembers what it runs. */
export function recordStatements(database: Database): Recording {
  const found = new Map<string, RecordedStatement>()
  const note = (sql: string, values: readonly Value[] = []) => {
    const first = found.get(sql)?.values[0]
    found.set(sql, { sql, values: first ? [first, values] : [values] })
  }
  const noting = (queries: Queries): Queries => ({
    ...queries,
    all(sql, values) {
      note(sql, values)
      return queries.all(sql, values)
    },
    first(sql, values) {
      note(sql, values)
      return queries.first(sql, values)
    },
    run(sql, values) {
      note(sql, values)
      return queries.run(sql, values)
    },
  })
  const on =
    <Result>(work: Work<Result>): Work<Result> =>
    (queries) =>
      work(noting(queries))
  return {
    database: {
      ...database,
      single: noting(database.single),
      transaction: (work, options) => database.transaction(on(work), options),
      read: (work) => database.read(on(work)),
      exclusive: (work) => database.exclusive(on(work)),
    },
    take() {
      const all = [...found.values()]
      found.clear()
      return all
    },
  }
}
