import type { Context } from '../kernel/context.ts'
import type { Queries } from '../kernel/database.ts'
import type { DirectoryEntry, DirectoryRow } from './directory.ts'
import { columns, type InstitutionRow } from './store.ts'

/** The states of the institutions of all clients and of the client's own. */
export interface States {
  shared: string | null
  own: string | null
}

export interface Found {
  states: States
  rows: Map<DirectoryEntry, InstitutionRow>
}

/** The maximum number of results of a search. */
export const maximumFound = 10

const places = Array.from({ length: maximumFound }, (_, index) => `$${index + 2}`).join(', ')

const selectStates = `select
  (select state from institution_changes where client_id = '') as shared,
  (select state from institution_changes where client_id = $1) as own`

const selectFound = `select here.shared, here.own, institutions.client_id, ${columns}
  from (${selectStates}) as here
    left join institutions on client_id in ('', $1) and institution_id in (${places})`

/** Reads the institutions of some entries and the current states in one statement. */
export async function findInstitutions(
  ctx: Context,
  entries: readonly DirectoryEntry[],
): Promise<Found> {
  if (entries.length === 0) return { states: await findStates(ctx), rows: new Map() }
  const ids = entries.map((entry) => entry.institution_id)
  const padding = Array.from({ length: maximumFound - ids.length }, () => '')
  const rows = await ctx.db.all<FoundRow>(selectFound, [ctx.client.client_id, ...ids, ...padding])
  const found = entries.flatMap((entry) => {
    const row = rows.find((one) => isOf(one, entry))
    return row ? [[entry, row] as const] : []
  })
  return { states: toStates(rows[0]), rows: new Map(found) }
}

const findStates = async (ctx: Context): Promise<States> =>
  toStates(await ctx.db.first<States>(selectStates, [ctx.client.client_id]))

const toStates = (row: States | undefined): States => ({
  shared: row?.shared ?? null,
  own: row?.own ?? null,
})

type FoundRow = InstitutionRow & States & { client_id: string | null }

const isOf = (row: FoundRow, entry: DirectoryEntry): boolean =>
  row.institution_id === entry.institution_id && row.client_id === entry.client_id

/** The institutions of a data set that can be found, with their searchable fields. */
export const listDirectory = (ctx: Context, clientId: string) =>
  ctx.db.all<DirectoryRow>(
    `select client_id, institution_id, search_name, products, country_codes, routing_numbers, oauth,
        matches_auth
      from institutions where client_id = $1 and delisted_at is null`,
    [clientId],
  )

/**
 * Records that the institutions of a data set have changed. `state` must be a new, unique value.
 */
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
