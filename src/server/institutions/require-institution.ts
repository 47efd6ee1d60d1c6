import type { CountryCode, Product } from '#contract/closed.ts'
import type { Context } from '../kernel/context.ts'
import { ApiError } from '../kernel/errors.ts'
import { findInstitution, type InstitutionRow } from './store.ts'

/** An institution that works in one of the countries. */
export async function requireInstitutionIn(
  ctx: Context,
  institutionId: string,
  countryCodes: readonly CountryCode[],
): Promise<InstitutionRow> {
  const institution = await findInstitution(ctx, institutionId)
  const countries: CountryCode[] = institution ? JSON.parse(institution.country_codes) : []
  if (institution && countries.some((code) => countryCodes.includes(code))) return institution
  throw new ApiError('INVALID_INSTITUTION', institution ? elsewhere(countries) : {})
}

/** The error for the wrong countries, whether the request names them or its link token does. */
const elsewhere = (countries: readonly CountryCode[]) => ({
  message: `the institution of \`institution_id\` works in other countries than \`country_codes\` names; it works in: ${toWords(countries)}`,
  action: 'Name one of these countries in `country_codes`, or choose another institution.',
})

const maximumNamed = 20

const toWords = (countries: readonly CountryCode[]): string => {
  const rest = countries.length - maximumNamed
  return `${countries.slice(0, maximumNamed).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

/** The same, where new Items can be made. */
export async function requireListedIn(
  ctx: Context,
  institutionId: string,
  countryCodes: readonly CountryCode[],
): Promise<InstitutionRow> {
  const institution = await requireInstitutionIn(ctx, institutionId, countryCodes)
  if (institution.delisted_at === null) return institution
  throw new ApiError('INVALID_INSTITUTION')
}

/** Whether an institution supports all of the products. */
export function supportsAll(
  { products, matches_auth }: InstitutionRow,
  wanted: readonly Product[],
): boolean {
  const own: Product[] = JSON.parse(products)
  return wanted.every((one) => own.includes(one) || (one === 'auth' && matches_auth === 1))
}
