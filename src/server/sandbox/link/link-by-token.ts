import type { CountryCode, Product } from '#contract/closed.ts'
import type { LinkItemAddResult } from '../../../../generated/platform/closed.ts'
import { requireInstitutionIn, supportsAll } from '../../institutions/require-institution.ts'
import type { Context } from '../../kernel/context.ts'
import { invalidField } from '../../kernel/errors.ts'
import { toLinkResult } from '../../link/link-result.ts'
import type { LinkTokenRow } from '../../link/link-token-store.ts'
import { sharedKinds } from '../../link/shared-kinds.ts'
import { connectionTo } from '../items/connection.ts'
import { toHistory } from '../items/history.ts'
import { type ItemToLink, linkItem } from '../items/link-item.ts'

interface Chosen {
  institutionId: string | null
  /** Where webhooks about the Item go. */
  webhook: string | null
  /** What its data is generated from. Left out, chance. */
  seed?: string
  /** The time of its first data. Left out, now. */
  at?: string
  /** The places of the accounts that the user chose. Left out, all. */
  accounts?: readonly number[]
}

type Asked = Pick<ItemToLink, 'connection' | 'history' | 'products'>

/** What a link token asks of an institution. */
export async function askedOf(
  ctx: Context,
  token: LinkTokenRow,
  institutionId: string,
  at: string,
): Promise<Asked> {
  const countries = JSON.parse(token.country_codes) as CountryCode[]
  const institution = await requireInstitutionIn(ctx, institutionId, countries)
  const required = JSON.parse(token.products) as Product[]
  if (!supportsAll(institution, required)) {
    throw invalidField('`institution_id` must name an institution that supports the products')
  }
  const optional = JSON.parse(token.optional_products) as Product[]
  const products = [...required, ...optional.filter((one) => supportsAll(institution, [one]))]
  return {
    connection: connectionTo(institution, null, products.includes('auth')),
    history: toHistory({ days_requested: token.days_requested }, at),
    products,
  }
}

/** Links an Item as a link token asks for it. */
export async function linkByToken(
  ctx: Context,
  token: LinkTokenRow,
  { institutionId, webhook, seed, at = ctx.now, accounts: places }: Chosen,
): Promise<LinkItemAddResult[]> {
  if (institutionId === null)
    throw invalidField('`institution_id` must be given, since the link token names none')
  const asked = await askedOf(ctx, token, institutionId, at)
  const passes = sharedKinds(token)
  const { accounts, public_token } = await linkItem(ctx, {
    ...asked,
    ...(seed === undefined ? {} : { seed }),
    webhook,
    userId: token.user_id,
    isShared: (account, index) => passes(account) && (places?.includes(index) ?? true),
  })
  return [toLinkResult(public_token, accounts, asked.connection.institution)]
}
