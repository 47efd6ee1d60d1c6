import type { CountryCode, Product } from '#contract/closed.ts'
import type {
  LinkAccountFilters,
  LinkInstitution,
  LinkLanguage,
  LinkTokenMetadata,
} from '../../../generated/platform/closed.ts'
import type { LinkTokenRow } from './link-token-store.ts'

const minuteMs = 60_000
const defaultPageSeconds = 1800

/** How long a token lives, and how long its page can be opened, in ms. */
export function toLifetimes(
  isUpdate: boolean,
  pageSeconds: number | null | undefined,
): { token: number; page: number } {
  const page = (pageSeconds ?? defaultPageSeconds) * 1000
  return { page, token: Math.max(page, (isUpdate ? 30 : 4 * 60) * minuteMs) }
}

/** What a link token was made with. */
export const toLinkTokenMetadata = (
  row: LinkTokenRow,
  institution: LinkInstitution | null,
): LinkTokenMetadata => ({
  initial_products: JSON.parse(row.products) as Product[],
  webhook: row.webhook,
  country_codes: JSON.parse(row.country_codes) as CountryCode[],
  language: row.language as LinkLanguage,
  redirect_uri: row.redirect_uri,
  client_name: row.client_name,
  institution_data: institution,
  account_filters: row.account_filters === null ? null : toFilters(row.account_filters),
})

const types = ['depository', 'credit', 'loan', 'investment', 'other', 'payroll'] as const

/** The filters of a request, without fields that are unknown or null. */
export function toFilters(json: string): LinkAccountFilters {
  const given = JSON.parse(json) as {
    [Type in keyof LinkAccountFilters]: LinkAccountFilters[Type] | null
  }
  return Object.fromEntries(
    types.flatMap((type) => {
      const { account_subtypes } = given[type] ?? {}
      return account_subtypes ? [[type, { account_subtypes }]] : []
    }),
  )
}
