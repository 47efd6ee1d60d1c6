import { columns, type InstitutionRow } from '../../institutions/store.ts'
import type { Context } from '../../kernel/context.ts'
import type { Filter } from '../filter.ts'

/** An institution with the client that it belongs to: an empty id stands for all. */
export type OwnedInstitutionRow = InstitutionRow & { client_id: string }

/** Those after the place of an institution that fit, of all clients or of one. */
const fitting = (client: string, filter: Filter): string =>
  `from institutions where client_id = ${client} and (search_name, institution_id) > (coalesce(
      (select search_name from institutions where client_id in ('', $1) and institution_id = $2
        limit 1), ''), $2)${filter.sql}
    order by search_name, institution_id limit $3`

/**
 * Institutions after one of them, in the order of their names. Those of all clients and those of this
 * one are each read by an index, so that no list is sorted as a whole: only the two pages are.
 */
export function listInstitutionPage(
  ctx: Context,
  after: string,
  limit: number,
  filter: Filter,
): Promise<OwnedInstitutionRow[]> {
  const [shared, own] = [fitting("''", filter), fitting('$1', filter)]
  return ctx.own.all<OwnedInstitutionRow>(
    `with shared as (select client_id, ${columns} ${shared}),
        own as (select client_id, ${columns} ${own})
      select client_id, ${columns} from shared union all select client_id, ${columns} from own
      order by search_name, institution_id limit $3`,
    [after, limit, ...filter.values],
  )
}

/** The institutions with an id that the client can see: one of all clients, its own, or both. */
export const listOfId = (ctx: Context, institutionId: string) =>
  ctx.own.all<OwnedInstitutionRow>(
    `select client_id, ${columns} from institutions
      where client_id in ('', $1) and institution_id = $2`,
    [institutionId],
  )
