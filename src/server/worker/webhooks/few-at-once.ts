import type { Database } from '../../kernel/database.ts'

/** Lets reads and transactions wait for each other, where each has a connection of its own. */
export function withFewAtOnce(database: Database, most: number): Database {
  if (!database.shared) return database
  const line: (() => void)[] = []
  let free = most

  async function inLine<Result>(work: () => Promise<Result>): Promise<Result> {
    if (free > 0) free -= 1
    else await new Promise<void>((enter) => line.push(enter))
    try {
      return await work()
    } finally {
      const next = line.shift()
      if (next) next()
      else free += 1
    }
  }

  return {
    ...database,
    read: (work, options) => inLine(() => database.read(work, options)),
    transaction: (work, options) => inLine(() => database.transaction(work, options)),
  }
}
