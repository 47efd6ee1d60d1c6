import { createHash } from 'node:crypto'
import { CountryCode } from '#contract/enums.ts'
import { builtInInstitutions } from '../../institution-list/built-in.ts'
import type {
  InstitutionList,
  ListedInstitution,
} from '../../institution-list/listed-institution.ts'
import { toInstitutionRow } from './institution.ts'
import type { ListedRow } from './list-store.ts'

/** The row of an institution of the list. */
export function toListedRow(institution: ListedInstitution, now: string): ListedRow {
  const { connector, settings, ...shown } = institution
  const row = {
    ...toInstitutionRow(shown, now),
    connector,
    connector_settings: JSON.stringify(settings),
  }
  return { ...row, list_hash: hashOf(row) }
}

/** The institutions that a list makes: its own, and those of the service that it does not replace. */
export function institutionsOf({
  institutions,
  builtIn,
  offered = [],
}: InstitutionList): ListedInstitution[] {
  const own = new Set(institutions.map(({ institution_id }) => institution_id))
  const others = [...offered, ...(builtIn ? listBuiltIn() : [])].filter(
    (one) => !own.has(one.institution_id),
  )
  return [...institutions, ...others]
}

/** The built-in institution with an id. */
export const findBuiltIn = (institutionId: string): ListedInstitution | undefined =>
  listBuiltIn().find(({ institution_id }) => institution_id === institutionId)

const listBuiltIn = (): ListedInstitution[] =>
  builtInInstitutions.map((one) => ({ ...one, country_codes: [...CountryCode] }))

export const hashOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url')
