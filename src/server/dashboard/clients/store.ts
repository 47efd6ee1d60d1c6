import type { Queries } from '../../kernel/database.ts'
import type { Filter } from '../filter.ts'

export interface ListedClientRow {
  client_id: string
  client_name: string | null
  created_at: string
  disabled_at: string | null
  clock_offset_ms: number
  keeps_bodies_until: number | null
}

/** Clients in the order of their creation, after one of them. */
export const listClientsFrom = (
  db: Queries,
  after: { created_at: string; client_id: string },
  limit: number,
  filter: Filter,
) =>
  db.all<ListedClientRow>(
    `select client_id, client_name, created_at, disabled_at, clock_offset_ms, keeps_bodies_until
      from clients where (created_at, client_id) > ($1, $2)${filter.sql}
      order by created_at, client_id limit $3`,
    [after.created_at, after.client_id, limit, ...filter.values],
  )
