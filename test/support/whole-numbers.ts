import type { Database, Queries, Value } from '../../src/server/kernel/database.ts'

/**
 * A database that takes whole numbers only. All numeric columns are integers: SQLite keeps a
 * fraction there without a word, and PostgreSQL fails.
 */
export function withWholeNumbers(database: Database): Database {
  const { transaction, read, exclusive } = database
  return {
    ...database,
    single: checked(database.single),
    transaction: (work, options) => transaction((db) => work(checked(db)), options),
    read: (work, kind) => read((db) => work(checked(db)), kind),
    exclusive: (work) => exclusive((db) => work(checked(db))),
  }
}

const checked = ({ all, first, run, ...rest }: Queries): Queries => ({
  ...rest,
  all: async (sql, values) => all(sql, whole(sql, values)),
  first: async (sql, values) => first(sql, whole(sql, values)),
  run: async (sql, values) => run(sql, whole(sql, values)),
})

function whole(sql: string, values: readonly Value[] = []): readonly Value[] {
  const place = values.findIndex((value) => typeof value === 'number' && !Number.isInteger(value))
  if (place < 0) return values
  throw new Error(`a statement is given ${values[place]} for $${place + 1}: ${sql}`)
}
