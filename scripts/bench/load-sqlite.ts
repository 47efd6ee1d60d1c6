import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import type { Sink } from './load-sink.ts'

/** How many rows one statement writes. */
const atOnce = 32

/** Writes into a file, of which nothing is left to be relied on when that is cut short. */
export function openFile(file: string): Sink {
  const connection = new DatabaseSync(file)
  connection.exec(`
    pragma locking_mode = exclusive;
    pragma journal_mode = off;
    pragma synchronous = off;
    pragma cache_size = -262144;
  `)
  const statements = new Map<string, StatementSync>()
  const prepare = (table: string, columns: readonly string[], count: number): StatementSync => {
    const name = `${table} ${count}`
    const row = `(${columns.map(() => '?').join(', ')})`
    const statement =
      statements.get(name) ??
      connection.prepare(
        `insert into ${table} (${columns.join(', ')}) values ${Array(count).fill(row).join(', ')}`,
      )
    statements.set(name, statement)
    return statement
  }
  return {
    async write(table, columns, rows) {
      connection.exec('begin')
      let done = 0
      for (; rows.length - done >= atOnce; done += atOnce) {
        const values = rows.slice(done, done + atOnce).flat() as SQLInputValue[]
        prepare(table, columns, atOnce).run(...values)
      }
      for (const row of rows.slice(done)) {
        prepare(table, columns, 1).run(...(row as SQLInputValue[]))
      }
      connection.exec('commit')
    },
    async close() {
      connection.exec('pragma journal_mode = wal')
      connection.close()
    },
  }
}
