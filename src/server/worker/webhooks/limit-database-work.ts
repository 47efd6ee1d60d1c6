import type { Database } from '../../kernel/database.ts'

/** Limits concurrent reads and transactions where each takes a connection of the pool. */
export function withTransactionLimit(database: Database, most: number): Database {
  if (!database.shared) return database
  const waiting: (() => void)[] = []
  let free = most

  async function limited<Result>(work: () => Promise<Result>): Promise<Result> {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }

  return {
    ...database,
    read: (work, options) => limited(() => database.read(work, options)),
    transaction: (work, options) => limited(() => database.transaction(work, options)),
  }
}
