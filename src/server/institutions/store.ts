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
  /** JSON, as the wire has it; so are status, auth_methods and payment_initiation. */
  dtc_numbers: string | null
  status: string | null
  auth_methods: string | null
  matches_auth: number
  payment_initiation: string | null
}

export const columns = `institution_id, name, search_name, products, country_codes, routing_numbers, oauth,
  url, primary_color, logo, dtc_numbers, status, auth_methods, matches_auth, payment_initiation`

/** An institution of the client's world. */
export const findInstitution = (ctx: Context, institutionId: string) =>
  ctx.db.first<InstitutionRow>(
    `select ${columns} from institutions
      where client_id in ('', $1) and institution_id = $2 order by client_id desc limit 1`,
    [ctx.client.client_id, institutionId],
  )

/** Writes an institution; one that has this id already stays, and false comes back. */
export async function insertInstitution(
  db: Queries,
  clientId: string,
  row: InstitutionRow,
): Promise<boolean> {
  const written = await db.run(
    `insert into institutions (client_id, ${columns})
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
     on conflict (client_id, institution_id) do nothing`,
    [
      clientId,
      row.institution_id,
      row.name,
      row.search_name,
      row.products,
      row.country_codes,
      row.routing_numbers,
      row.oauth,
      row.url,
      row.primary_color,
      row.logo,
      row.dtc_numbers,
      row.status,
      row.auth_methods,
      row.matches_auth,
      row.payment_initiation,
    ],
  )
  return written > 0
}
