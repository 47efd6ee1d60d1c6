import { insertRows } from '../db/insert-rows.ts'
import type { Queries } from '../kernel/database.ts'

/** A part of the rows of a statement that is still being read, as JSON text. */
export interface StagedPart {
  client_id: string
  import_id: string
  place: number
  rows: string
  /** Real time in ms. */
  staged_at: number
}

export const insertStaged = (db: Queries, parts: readonly StagedPart[]): Promise<number> =>
  insertRows(
    db,
    'staged_rows',
    parts.map((part) => ({ ...part })),
  )

type Import = Pick<StagedPart, 'client_id' | 'import_id'>

/** The parts from a place on, and before another one. */
export const listStaged = (
  db: Queries,
  { client_id, import_id }: Import,
  { from, before }: { from: number; before: number },
) =>
  db.all<Pick<StagedPart, 'rows'>>(
    `select rows from staged_rows
      where client_id = $1 and import_id = $2 and place >= $3 and place < $4 order by place`,
    [client_id, import_id, from, before],
  )

export async function deleteStaged(db: Queries, { client_id, import_id }: Import): Promise<void> {
  await db.run('delete from staged_rows where client_id = $1 and import_id = $2', [
    client_id,
    import_id,
  ])
}
