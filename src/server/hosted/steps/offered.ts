import type { CountryCode, Institution, Product } from '#contract/closed.ts'
import { createDirectories } from '../../institutions/directory-cache.ts'
import { textsOf } from '../../institutions/institution-texts.ts'
import { requireListedIn, supportsAll } from '../../institutions/require-institution.ts'
import { toSearchName } from '../../institutions/search-name.ts'
import { maximumFound } from '../../institutions/search-store.ts'
import type { InstitutionRow } from '../../institutions/store.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { Visit } from '../visit.ts'

type Offering = Pick<Visit, 'ctx' | 'token' | 'texts'>

const countriesOf = ({ token }: Offering) => JSON.parse(token.country_codes) as CountryCode[]
const productsOf = ({ token }: Offering) => JSON.parse(token.products) as Product[]

/** Whether any institution offers what the link token asks for. */
export async function isAnyOffered(visit: Offering): Promise<boolean> {
  if (visit.token.institution_id !== null) return true
  return (await search(visit, undefined, countriesOf(visit), 1)).length > 0
}

/** The institution with an id, if it offers what the link token asks for. */
export async function findOffered(
  visit: Offering,
  id: string,
): Promise<InstitutionRow | undefined> {
  // No database stores this sign, and PostgreSQL rejects it.
  if (id === '' || id.includes('\0')) return undefined
  const row = await requireListedIn(visit.ctx, id, countriesOf(visit)).catch((error: unknown) => {
    if (error instanceof ApiError) return undefined
    throw error
  })
  return row && supportsAll(row, productsOf(visit)) ? row : undefined
}

/** The institutions that a search finds: by their names, and by the name of their country. */
export async function searchOffered(visit: Offering, text: string): Promise<Institution[]> {
  const countries = countriesOf(visit)
  if (text === '') return search(visit, undefined, countries)
  const country = countries.find((code) => namesOf(visit, code).has(toSearchName(text)))
  const lists = await Promise.all([
    searchNames(visit, text, countries),
    country === undefined ? [] : search(visit, undefined, [country]),
  ])
  const byId = new Map(lists.flat().map((one) => [one.institution_id, one]))
  return [...byId.values()].slice(0, maximumFound)
}

/** The languages of the pages: users search in their own, whatever the link token names. */
const spoken = ['en', 'de']

/** What users may call a country. */
const namesOf = ({ texts }: Offering, country: CountryCode): Set<string> =>
  new Set(
    [...new Set([texts.code, ...spoken])].map((language) => {
      const names = new Intl.DisplayNames([language], { type: 'region' })
      return toSearchName(names.of(country) ?? country)
    }),
  )

/** German names are also written without their own letters, and the other way round. */
const spellings = [
  (text: string) => text.replaceAll(/([aou])e/gi, '$1'),
  (text: string) => text.replaceAll('ß', 'ss'),
  (text: string) => text.replaceAll('ss', 'ß'),
]

async function searchNames(
  visit: Offering,
  text: string,
  countries: readonly CountryCode[],
): Promise<Institution[]> {
  const others = spellings.map((spell) => spell(text)).filter((other) => other !== text)
  for (const spelled of [text, ...others]) {
    const found = await search(visit, spelled, countries)
    if (found.length > 0) return found
  }
  return []
}

async function search(
  visit: Offering,
  text: string | undefined,
  countryCodes: readonly CountryCode[],
  limit = maximumFound,
): Promise<Institution[]> {
  const { ctx } = visit
  const filter = { countryCodes, products: productsOf(visit), oauth: undefined }
  const texts = textsOf({ optional: true, auth: false, paymentInitiation: false })
  const found = await ctx.singleton(createDirectories).search(ctx, text, filter, limit, texts)
  return found.map((json) => JSON.parse(json) as Institution)
}
