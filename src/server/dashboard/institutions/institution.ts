import type { InstitutionHealth, InstitutionStatus } from '#contract/closed.ts'
import type {
  DashboardInstitution,
  DashboardInstitutionPart,
} from '../../../../generated/dashboard/closed.ts'
import type { OwnedInstitutionRow } from './store.ts'

export const toDashboardInstitution = (row: OwnedInstitutionRow): DashboardInstitution => ({
  institution_id: row.institution_id,
  name: row.name,
  country_codes: JSON.parse(row.country_codes) as string[],
  products: JSON.parse(row.products) as string[],
  oauth: row.oauth === 1,
  health: worstOf(toParts(row)),
  connector: row.connector,
  is_own: row.client_id !== '',
  delisted_at: row.delisted_at,
})

/** The status by kind of request. */
export function toParts(row: OwnedInstitutionRow): DashboardInstitutionPart[] {
  if (row.status === null) return []
  const { health_incidents: _, ...entries } = JSON.parse(row.status) as InstitutionStatus
  return Object.entries(entries).flatMap(([name, entry]) =>
    entry
      ? [
          {
            name,
            status: entry.status,
            last_status_change: entry.last_status_change,
            success: entry.breakdown.success,
          },
        ]
      : [],
  )
}

const byBadness: readonly InstitutionHealth[] = ['DOWN', 'DEGRADED', 'HEALTHY']

const worstOf = (parts: readonly DashboardInstitutionPart[]): InstitutionHealth | null =>
  byBadness.find((health) => parts.some(({ status }) => status === health)) ?? null

/** How account numbers are found there. */
export const toAuthMethods = ({ auth_methods }: OwnedInstitutionRow): string[] =>
  Object.entries(JSON.parse(auth_methods ?? '{}') as Record<string, boolean>).flatMap(
    ([name, isSupported]) => (isSupported ? [name] : []),
  )
