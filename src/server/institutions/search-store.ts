import type { Context } from '../context.ts'
import type { Queries } from '../db/database.ts'
import type { DirectoryEntry } from './directory.ts'
import { columns, type InstitutionRow } from './store.ts'

/** The states that the institutions of every client's world and of the client's own are in. */
export interface States {
  shared: string | null
  own: string | null
}

export interface Found {
  states: States
  /** In the order of the entries that they were found by. */
  rows: InstitutionRow[]
}

/** The most that one search finds. */
export const maximumFound = 10

const places = Array.from({ length: maximumFound }, (_, index) => `$${index + 2}`).join(', ')

/** The institutions of some entries, and what the database's state was, in one statement. */
export async function findInstitutions(
  ctx: Context,
  entries: readonly DirectoryEntry[],
): Promise<Found> {
  const ids = entries.map((entry) => entry.institution_id)
  const padding = Array.from({ length: maximumFound - ids.length }, () => '')
  const rows = await ctx.db.all<FoundRow>(
    `select here.shared, here.own, institutions.client_id, ${columns}
      from (select
          (select state from institution_changes where client_id = '') as shared,
          (select state from institution_changes where client_id = $1) as own) as here
        left join institutions
          on client_id in ('', $1) and institution_id in (${places})`,
    [ctx.client.client_id, ...ids, ...padding],
  )
  const { shared = null, own = null } = rows[0] ?? {}
  const found = entries.flatMap((entry) => rows.filter((row) => isOf(row, entry)))
  return { states: { shared, own }, rows: found }
}

type FoundRow = InstitutionRow & States & { client_id: string | null }

const isOf = (row: FoundRow, entry: DirectoryEntry): boolean =>
  row.institution_id === entry.institution_id && row.client_id === entry.client_id

/** All institutions of a world, as searches look at them. */
export const listDirectory = (ctx: Context, clientId: string) =>
  ctx.db.all<DirectoryEntry>(
    `select client_id, institution_id, search_name, products, country_codes, routing_numbers, oauth,
        matches_auth
      from institutions where client_id = $1`,
    [clientId],
  )

/** Says that a world has other institutions now; `state` is one that it never was in. */
export async function noteInstitutionChange(
  db: Queries,
  clientId: string,
  state: string,
): Promise<void> {
  await db.run(
    `insert into institution_changes (client_id, state) values ($1, $2)
      on conflict (client_id) do update set state = excluded.state`,
    [clientId, state],
  )
}
