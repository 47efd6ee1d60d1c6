import { insertRows } from '../db/insert-rows.ts'
import type { Queries } from '../kernel/database.ts'

/** Rows of a statement that is still being read, as JSON text. */
export interface StagedRows {
  client_id: string
  import_id: string
  place: number
  rows: string
  /** Real time in ms. */
  staged_at: number
}

export const insertStaged = (db: Queries, staged: StagedRows): Promise<number> =>
  insertRows(db, 'staged_rows', [{ ...staged }])

type Import = Pick<StagedRows, 'client_id' | 'import_id'>

export const findStaged = (db: Queries, { client_id, import_id }: Import, place: number) =>
  db.first<Pick<StagedRows, 'rows'>>(
    'select rows from staged_rows where client_id = $1 and import_id = $2 and place = $3',
    [client_id, import_id, place],
  )

export async function deleteStaged(db: Queries, { client_id, import_id }: Import): Promise<void> {
  await db.run('delete from staged_rows where client_id = $1 and import_id = $2', [
    client_id,
    import_id,
  ])
}
