import { insertRows } from '../db/insert-rows.ts'
import type { Context } from '../kernel/context.ts'
import type { Queries } from '../kernel/database.ts'

/** An institution; its lists are JSON arrays, in which `like` finds a quoted element. */
export interface InstitutionRow {
  institution_id: string
  name: string
  search_name: string
  products: string
  country_codes: string
  routing_numbers: string
  oauth: number
  url: string | null
  primary_color: string | null
  logo: string | null
  /** JSON as in the contract, also for status, auth_methods and payment_initiation. */
  dtc_numbers: string | null
  status: string | null
  auth_methods: string | null
  matches_auth: number
  payment_initiation: string | null
  /** What serves it, for those of the operator's list, and the settings of that in JSON. */
  connector: string | null
  connector_settings: string | null
  /** Since when the list has it no more. */
  delisted_at: string | null
}

export const columns = `institution_id, name, search_name, products, country_codes, routing_numbers, oauth,
  url, primary_color, logo, dtc_numbers, status, auth_methods, matches_auth, payment_initiation,
  connector, connector_settings, delisted_at`

/** An institution that the client can see. */
export const findInstitution = (ctx: Context, institutionId: string) =>
  ctx.own.first<InstitutionRow>(
    `select ${columns} from institutions
      where client_id in ('', $1) and institution_id = $2 order by client_id desc limit 1`,
    [institutionId],
  )

/** Writes an institution. Returns false if the id exists already. */
export const insertInstitution = async (
  db: Queries,
  clientId: string,
  row: InstitutionRow,
): Promise<boolean> =>
  (await insertRows(
    db,
    'institutions',
    [{ client_id: clientId, ...row }],
    'on conflict (client_id, institution_id) do nothing',
  )) > 0
