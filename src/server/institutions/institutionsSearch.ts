import type { Context } from '../context.ts'
import type { RequestOf, ResponseOf } from '../operation.ts'
import { toInstitution } from './institution.ts'
import { maximumFound } from './search-store.ts'

export async function institutionsSearch(
  ctx: Context,
  { body }: RequestOf<'institutionsSearch'>,
): Promise<ResponseOf<'institutionsSearch'>> {
  const { query, country_codes, products, options } = body
  const filter = {
    countryCodes: country_codes,
    products: products ?? [],
    oauth: options?.oauth ?? undefined,
  }
  const shown = {
    optional: options?.include_optional_metadata ?? false,
    auth: options?.include_auth_metadata ?? false,
    paymentInitiation: options?.include_payment_initiation_metadata ?? false,
  }
  const rows = await ctx.institutions.search(ctx, query, filter, maximumFound)
  return { institutions: rows.map((row) => toInstitution(row, shown)) }
}
