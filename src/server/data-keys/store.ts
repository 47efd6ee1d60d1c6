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

export async function putDataKey(db: Queries, row: DataKeyRow): Promise<void> {
  await db.run(
    `insert into data_keys (purpose, number, master_id, master_number, sealed)
      values ($1, $2, $3, $4, $5)
      on conflict (purpose, number, master_id) do update
        set master_number = excluded.master_number, sealed = excluded.sealed`,
    [row.purpose, row.number, row.master_id, row.master_number, row.sealed],
  )
}

export async function deleteDataKeysOf(db: Queries, masterId: string): Promise<void> {
  await db.run('delete from data_keys where master_id = $1', [masterId])
}
