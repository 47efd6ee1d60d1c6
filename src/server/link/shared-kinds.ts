import { toFilters } from './link-token.ts'
import type { LinkTokenRow } from './link-token-store.ts'

type Kind = { type: string; subtype?: string | null }

/** Which kinds of accounts the filters of a token let through. */
export function sharedKinds({
  account_filters,
}: Pick<LinkTokenRow, 'account_filters'>): (kind: Kind) => boolean {
  if (account_filters === null) return () => true
  const filters = toFilters(account_filters)
  return ({ type, subtype = null }) => {
    const subtypes: readonly unknown[] =
      filters[type as keyof typeof filters]?.account_subtypes ?? []
    return subtypes.includes('all') || (subtype !== null && subtypes.includes(subtype))
  }
}
