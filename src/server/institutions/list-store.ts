import { insertInBatches } from '../db/insert-rows.ts'
import type { Queries } from '../kernel/database.ts'
import { columns, type InstitutionRow } from './store.ts'

/** An institution of the operator's list, by what tells whether it has changed. */
export interface ListedMark {
  institution_id: string
  list_hash: string
  delisted_at: string | null
}

/** A row with the hash of what the list says. */
export type ListedRow = InstitutionRow & { list_hash: string }

/** The institutions that have ever been on the list. */
export const listListed = (db: Queries): Promise<ListedMark[]> =>
  db.all<ListedMark>(
    `select institution_id, list_hash, delisted_at from institutions
      where client_id = '' and list_hash is not null`,
  )

const replaced = [...columns.split(/,\s+/), 'list_hash']
  .filter((column) => column !== 'institution_id')
  .map((column) => `${column} = excluded.${column}`)
  .join(', ')

const sizes = [200, 20, 1]

/** Writes institutions of the list, each in the place of the one with its id. */
export const putListed = (db: Queries, rows: readonly ListedRow[]): Promise<void> =>
  insertInBatches(
    db,
    'institutions',
    rows.map((row) => ({ client_id: '', ...row })),
    sizes,
    `on conflict (client_id, institution_id) do update set ${replaced}`,
  )

/** Notes since when an institution is on the list no more. */
export const delist = (db: Queries, institutionId: string, at: string): Promise<number> =>
  db.run(`update institutions set delisted_at = $2 where client_id = '' and institution_id = $1`, [
    institutionId,
    at,
  ])
