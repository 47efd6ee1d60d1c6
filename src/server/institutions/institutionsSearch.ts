import { listOfText } from '../kernel/list-text.ts'
import type { HandlerOf } from '../kernel/operation.ts'
import { createDirectories } from './directory-cache.ts'
import { textsOf } from './institution-texts.ts'
import { maximumFound } from './search-store.ts'

export const institutionsSearch: HandlerOf<'institutionsSearch'> = async (ctx, { body }) => {
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
  const texts = textsOf(shown)
  const found = await ctx
    .singleton(createDirectories)
    .search(ctx, query, filter, maximumFound, texts)
  return { institutions: listOfText(found.join(',')) }
}
institutionsSearch.reads = true
institutionsSearch.usuallySingle = true
