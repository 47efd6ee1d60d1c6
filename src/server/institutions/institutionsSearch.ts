import type { Context } from '../context.ts'
import type { RequestOf, ResponseOf } from '../operation.ts'
import { toInstitution } from './institution.ts'
import { toSearchName, typingDistance } from './search-name.ts'
import {
  type InstitutionRow,
  listInstitutions,
  type SearchFilter,
  searchInstitutions,
} from './store.ts'

const maximumFound = 10

export async function institutionsSearch(
  ctx: Context,
  { body }: RequestOf<'institutionsSearch'>,
): Promise<ResponseOf<'institutionsSearch'>> {
  const { query, country_codes, products, options } = body
  const filter: SearchFilter = {
    countryCodes: country_codes,
    products: products ?? [],
    oauth: options?.oauth ?? undefined,
  }
  const shown = {
    optional: options?.include_optional_metadata ?? false,
    auth: options?.include_auth_metadata ?? false,
    paymentInitiation: options?.include_payment_initiation_metadata ?? false,
  }
  const searchName = toSearchName(query)
  const text = { text: query.trim(), searchName, limit: maximumFound }
  const found = await searchInstitutions(ctx, text, filter)
  const rows = found.length > 0 ? found : await searchWithSlips(ctx, searchName, filter)
  return { institutions: rows.map((row) => toInstitution(row, shown)) }
}

/** What the user may have meant, when nothing has exactly what was typed in its name. */
async function searchWithSlips(
  ctx: Context,
  typed: string,
  filter: SearchFilter,
): Promise<InstitutionRow[]> {
  if (typed === '') return []
  const rows = await listInstitutions(ctx, filter)
  return rows
    .flatMap((row) => {
      const distance = typingDistance(typed, row.search_name)
      return distance === undefined ? [] : [{ row, distance }]
    })
    .sort((a, b) => a.distance - b.distance || (a.row.search_name < b.row.search_name ? -1 : 1))
    .slice(0, maximumFound)
    .map(({ row }) => row)
}
