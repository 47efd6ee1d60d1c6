import { insertRows } from '../db/insert-rows.ts'
import type { Queries } from '../kernel/database.ts'

/** A key of data, encrypted with one ENCRYPTION_KEY. */
export interface DataKeyRow {
  purpose: 'hashing' | 'columns'
  number: number
  master_id: string
  master_number: number
  sealed: string
}

export const listDataKeys = (db: Queries) =>
  db.all<DataKeyRow>(
    `select purpose, number, master_id, master_number, sealed from data_keys
      order by purpose, number, master_number`,
  )

export const putDataKey = (db: Queries, row: DataKeyRow): Promise<number> =>
  insertRows(
    db,
    'data_keys',
    [{ ...row }],
    `on conflict (purpose, number, master_id) do update
      set master_number = excluded.master_number, sealed = excluded.sealed`,
  )

export async function deleteDataKeysOf(db: Queries, masterId: string): Promise<void> {
  await db.run('delete from data_keys where master_id = $1', [masterId])
}
