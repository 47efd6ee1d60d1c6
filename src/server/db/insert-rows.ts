import type { Context } from '../kernel/context.ts'
import type { Queries, Value } from '../kernel/database.ts'

/** A row by its columns. */
export type Row = Readonly<Record<string, Value>>

/** Inserts rows that have the same columns in one statement, and returns how many were inserted. */
export function insertRows(
  db: Queries,
  table: string,
  rows: readonly Row[],
  onConflict = '',
): Promise<number> {
  const columns = Object.keys(rows[0] ?? {})
  const values = rows.flatMap((row) => columns.map((column) => row[column] as Value))
  const places = values.map((_, index) => `$${index + 1}`)
  const lists = rows.map((_, index) => {
    return `(${places.slice(index * columns.length, (index + 1) * columns.length).join(', ')})`
  })
  return db.run(
    `insert into ${table} (${columns.join(', ')}) values ${lists.join(', ')} ${onConflict}`,
    values,
  )
}

/**
 * Inserts many rows, several in a statement: on a server each statement is a round trip. There are
 * few sizes of statements, so that each is prepared once; they end with 1.
 */
export async function insertInBatches(
  db: Queries,
  table: string,
  rows: readonly Row[],
  sizes: readonly number[],
  onConflict?: string,
): Promise<void> {
  for (let done = 0; done < rows.length; ) {
    const size = sizes.find((batch) => batch <= rows.length - done) ?? 1
    await insertRows(db, table, rows.slice(done, done + size), onConflict)
    done += size
  }
}

/** Writes a row of the calling client, and returns whether it was written. */
export const insertRow = async (
  ctx: Context,
  table: string,
  row: Row,
  onConflict?: string,
): Promise<boolean> =>
  (await insertRows(ctx.db, table, [{ client_id: ctx.client.client_id, ...row }], onConflict)) > 0
