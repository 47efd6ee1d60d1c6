import type { AccountSubtype, AccountType, CountryCode, Product } from '#contract/closed.ts'
import type { LinkItemAddResult } from '../../../../generated/platform/closed.ts'
import { requireInstitutionIn, supportsAll } from '../../institutions/require-institution.ts'
import type { Context } from '../../kernel/context.ts'
import { invalidField } from '../../kernel/errors.ts'
import { toFilters } from '../../link/link-token.ts'
import type { LinkTokenRow } from '../../link/link-token-store.ts'
import type { AccountSpec } from '../../simulation/item-spec.ts'
import { connectionTo } from '../items/connection.ts'
import { toHistory } from '../items/history.ts'
import { linkItem } from '../items/link-item.ts'

interface Chosen {
  institutionId: string | null
  /** Where webhooks about the Item go. */
  webhook: string | null
}

/** Links an Item as a link token asks for it. */
export async function linkByToken(
  ctx: Context,
  token: LinkTokenRow,
  { institutionId, webhook }: Chosen,
): Promise<LinkItemAddResult[]> {
  if (institutionId === null)
    throw invalidField('`institution_id` must be given, since the link token names none')
  const countries = JSON.parse(token.country_codes) as CountryCode[]
  const institution = await requireInstitutionIn(ctx, institutionId, countries)
  const required = JSON.parse(token.products) as Product[]
  if (!supportsAll(institution, required)) {
    throw invalidField('`institution_id` must name an institution that supports the products')
  }
  const optional = JSON.parse(token.optional_products) as Product[]
  const products = [...required, ...optional.filter((one) => supportsAll(institution, [one]))]
  const { item, accounts, public_token } = await linkItem(ctx, {
    connection: connectionTo(institution, null, products.includes('auth')),
    history: toHistory({ days_requested: token.days_requested }, ctx.now),
    products,
    webhook,
    userId: token.user_id,
    isShared: sharedBy(token),
  })
  return [
    {
      public_token,
      accounts: accounts.map((account) => ({
        id: account.account_id,
        name: account.name,
        mask: account.mask,
        type: account.type as AccountType,
        subtype: account.subtype as AccountSubtype | null,
        verification_status: account.verification_status,
      })),
      institution: {
        institution_id: institution.institution_id,
        name: item.institution_name ?? institution.name,
      },
    },
  ]
}

/** Which accounts the filters of a token let through. */
function sharedBy({ account_filters }: LinkTokenRow): (account: AccountSpec) => boolean {
  if (account_filters === null) return () => true
  const filters = toFilters(account_filters)
  return ({ type, subtype }) => {
    const subtypes: readonly unknown[] =
      filters[type as keyof typeof filters]?.account_subtypes ?? []
    return subtypes.includes('all') || (subtype !== null && subtypes.includes(subtype))
  }
}
