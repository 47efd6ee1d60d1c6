import type { Context } from '../context.ts'
import type { Queries } from '../db/database.ts'

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

const columns = `institution_id, name, search_name, products, country_codes, routing_numbers, oauth,
  url, primary_color, logo, dtc_numbers, status, auth_methods, matches_auth, payment_initiation`

/** An institution of the client's world. */
export const findInstitution = (ctx: Context, institutionId: string) =>
  ctx.db.first<InstitutionRow>(
    `select ${columns} from institutions
      where client_id in ('', $1) and institution_id = $2 order by client_id desc limit 1`,
    [ctx.client.client_id, institutionId],
  )

/** What a search asks for besides a name. */
export interface SearchFilter {
  countryCodes: readonly string[]
  products: readonly string[]
  oauth: boolean | undefined
}

/** Conditions and their values, whose places start after `taken` others. */
function toConditions(filter: SearchFilter, taken: number): { sql: string; values: string[] } {
  const values: string[] = []
  const like = (column: string, element: string) => {
    values.push(`%"${element}"%`)
    return `${column} like $${taken + values.length}`
  }
  const countries = filter.countryCodes.map((code) => like('country_codes', code))
  const products = filter.products.map((product) => {
    const listed = like('products', product)
    return product === 'auth' ? `(${listed} or matches_auth = 1)` : listed
  })
  const oauth = filter.oauth === undefined ? [] : [`oauth = ${filter.oauth ? 1 : 0}`]
  return { sql: [`(${countries.join(' or ')})`, ...products, ...oauth].join(' and '), values }
}

/** Institutions by id, routing number or a part of the name; the best matches first. */
export function searchInstitutions(
  ctx: Context,
  query: { text: string; searchName: string; limit: number },
  filter: SearchFilter,
): Promise<InstitutionRow[]> {
  const { sql, values } = toConditions(filter, 5)
  // A query without a letter or digit matches no name.
  const byName = query.searchName === '' ? '0 = 1' : `search_name like '%' || $3 || '%'`
  return ctx.db.all<InstitutionRow>(
    `select ${columns} from institutions
      where client_id in ('', $1)
        and (institution_id = $2 or ${byName} or routing_numbers like '%"' || $4 || '"%')
        and ${sql}
      order by case when institution_id = $2 or search_name = $3 then 0
          when search_name like $3 || '%' then 1 else 2 end,
        search_name, institution_id
      limit $5`,
    [
      ctx.client.client_id,
      query.text,
      query.searchName,
      /^\d{9}$/.test(query.text) ? query.text : '-',
      query.limit,
      ...values,
    ],
  )
}

/** All institutions that a filter leaves, for comparing names with slips in them. */
export function listInstitutions(ctx: Context, filter: SearchFilter): Promise<InstitutionRow[]> {
  const { sql, values } = toConditions(filter, 1)
  return ctx.db.all<InstitutionRow>(
    `select ${columns} from institutions where client_id in ('', $1) and ${sql}`,
    [ctx.client.client_id, ...values],
  )
}

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
