import type { AuthMethod, CountryCode, Product, VerificationStatus } from '#contract/closed.ts'
import type { SandboxAuthMethodsInput } from '../../../../generated/sandbox/closed.ts'
import type { InstitutionRow } from '../../institutions/store.ts'
import type { Country } from '../../simulation/towns.ts'

/** The institution or method that links an Item, and the resulting capabilities. */
export interface Connection {
  institution: { institution_id: string; name: string } | null
  country: Country
  supported: Product[]
  authMethod: AuthMethod | null
}

/** The products that need only account numbers. */
const numbersOnly: Product[] = ['auth', 'signal', 'transfer']

/** An Item with account numbers from the user. */
export const withoutInstitution = (authMethod: AuthMethod | null): Connection => ({
  institution: null,
  country: 'US',
  supported: numbersOnly,
  authMethod: authMethod ?? 'SAME_DAY_MICRODEPOSITS',
})

/** An Item at an institution. Its numbers are known if auth was requested or a method was given. */
export function connectionTo(
  row: InstitutionRow,
  authMethod: AuthMethod | null,
  wantsAuth: boolean,
): Connection {
  const products = JSON.parse(row.products) as Product[]
  const supported: Product[] = row.matches_auth === 1 ? ['auth', ...products] : products
  return {
    institution: { institution_id: row.institution_id, name: row.name },
    country: toCountry(JSON.parse(row.country_codes) as CountryCode[]),
    supported,
    authMethod: authMethod ?? (wantsAuth ? ownMethod(row, products) : null),
  }
}

function ownMethod(row: InstitutionRow, products: readonly Product[]): AuthMethod {
  if (products.includes('auth')) return 'INSTANT_AUTH'
  const methods = JSON.parse(row.auth_methods ?? '{}') as SandboxAuthMethodsInput
  return methods.instant_match ? 'INSTANT_MATCH' : 'AUTOMATED_MICRODEPOSITS'
}

/** The country of the generated holder. */
function toCountry(codes: readonly CountryCode[]): Country {
  if (codes.includes('US')) return 'US'
  return codes.includes('CA') ? 'CA' : 'GB'
}

/** The verification status right after linking, for methods that have one. */
export const firstStatus: Partial<Record<AuthMethod, VerificationStatus>> = {
  AUTOMATED_MICRODEPOSITS: 'pending_automatic_verification',
  SAME_DAY_MICRODEPOSITS: 'pending_manual_verification',
  INSTANT_MICRODEPOSITS: 'pending_manual_verification',
  DATABASE_MATCH: 'database_matched',
  DATABASE_INSIGHTS: 'database_insights_pass',
}
