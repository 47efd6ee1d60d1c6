import type {
  AuthMetadata,
  CountryCode,
  HealthIncident,
  Institution,
  InstitutionHealth,
  InstitutionStatus,
  InstitutionStatusEntry,
  PaymentInitiationMetadata,
  Product,
} from '#contract/closed.ts'
import type {
  SandboxAuthMethodsInput,
  SandboxInstitutionStatusEntryInput,
  SandboxInstitutionStatusInput,
} from '../../../generated/sandbox/closed.ts'
import { readTimestamp, toTimestamp } from '../kernel/time.ts'
import { toSearchName } from './search-name.ts'
import type { InstitutionRow } from './store.ts'

/** The optional parts that a search requests. */
export interface Shown {
  optional: boolean
  auth: boolean
  paymentInitiation: boolean
}

const parse = <Value>(json: string | null): Value | null =>
  json === null ? null : (JSON.parse(json) as Value)

export function toInstitution(row: InstitutionRow, shown: Shown): Institution {
  const dtcNumbers = parse<string[]>(row.dtc_numbers)
  return {
    institution_id: row.institution_id,
    name: row.name,
    products: JSON.parse(row.products) as Product[],
    country_codes: JSON.parse(row.country_codes) as CountryCode[],
    routing_numbers: JSON.parse(row.routing_numbers) as string[],
    ...(dtcNumbers ? { dtc_numbers: dtcNumbers } : {}),
    oauth: row.oauth === 1,
    status: parse<InstitutionStatus>(row.status),
    ...(shown.optional ? { url: row.url, primary_color: row.primary_color, logo: row.logo } : {}),
    ...(shown.auth ? { auth_metadata: toAuthMetadata(row) } : {}),
    ...(shown.paymentInitiation
      ? {
          payment_initiation_metadata: parse<PaymentInitiationMetadata>(row.payment_initiation),
        }
      : {}),
  }
}

function toAuthMetadata(row: InstitutionRow): AuthMetadata | null {
  const methods = parse<Required<SandboxAuthMethodsInput>>(row.auth_methods)
  return methods && { supported_methods: methods }
}

/** An institution as a sandbox endpoint or a file of seed data describes it. */
export interface InstitutionInput {
  institution_id: string
  name: string
  products: readonly Product[]
  country_codes: readonly CountryCode[]
  routing_numbers?: readonly string[] | undefined
  dtc_numbers?: readonly string[] | undefined
  oauth?: boolean | undefined
  url?: string | null | undefined
  primary_color?: string | null | undefined
  logo?: string | null | undefined
  status?: SandboxInstitutionStatusInput | null | undefined
  auth_methods?: SandboxAuthMethodsInput | undefined
  payment_initiation_metadata?: PaymentInitiationMetadata | null | undefined
}

/** The row of an institution. Omitted fields are derived from the others. */
export function toInstitutionRow(input: InstitutionInput, now: string): InstitutionRow {
  const methods = input.auth_methods ?? { instant_auth: input.products.includes('auth') }
  const supported = Object.values(methods).some(Boolean)
  const { instant_match = false, automated_micro_deposits = false } = methods
  return {
    institution_id: input.institution_id,
    name: input.name,
    search_name: toSearchName(input.name),
    products: JSON.stringify([...new Set(input.products)].sort()),
    country_codes: JSON.stringify([...new Set(input.country_codes)]),
    routing_numbers: JSON.stringify(input.routing_numbers ?? []),
    oauth: input.oauth ? 1 : 0,
    url: input.url ?? null,
    primary_color: input.primary_color ?? null,
    logo: input.logo ?? null,
    dtc_numbers: input.dtc_numbers ? JSON.stringify(input.dtc_numbers) : null,
    status: input.status ? JSON.stringify(toStatus(input.status, now)) : null,
    auth_methods: supported ? JSON.stringify({ ...noAuthMethods, ...methods }) : null,
    matches_auth: instant_match || automated_micro_deposits ? 1 : 0,
    payment_initiation: input.payment_initiation_metadata
      ? JSON.stringify(input.payment_initiation_metadata)
      : null,
    connector: null,
    connector_settings: null,
    delisted_at: null,
  }
}

const noAuthMethods = {
  instant_auth: false,
  instant_match: false,
  automated_micro_deposits: false,
  instant_micro_deposits: false,
}

function toStatus(input: SandboxInstitutionStatusInput, now: string): InstitutionStatus {
  const { health_incidents, ...entries } = input
  const named = Object.entries(entries).map(([name, entry]) => [
    name,
    entry ? toStatusEntry(entry, now) : null,
  ])
  const incidents = health_incidents?.map((incident): HealthIncident => {
    const { start_date, end_date = null, title, incident_updates = [] } = incident
    return {
      start_date: toUtc(start_date),
      end_date: end_date && toUtc(end_date),
      title,
      incident_updates: incident_updates.map(({ description, status, updated_date }) => ({
        description,
        status,
        updated_date: toUtc(updated_date),
      })),
    }
  })
  return {
    ...(Object.fromEntries(named) as InstitutionStatus),
    ...(health_incidents === undefined ? {} : { health_incidents: incidents ?? null }),
  }
}

const toUtc = (timestamp: string): string => toTimestamp(readTimestamp(timestamp))

/** The default shares of requests for a status. */
const breakdowns: Record<InstitutionHealth, [success: number, service: number, bank: number]> = {
  HEALTHY: [0.97, 0.01, 0.02],
  DEGRADED: [0.62, 0.02, 0.36],
  DOWN: [0, 0.01, 0.99],
}

function toStatusEntry(
  input: SandboxInstitutionStatusEntryInput,
  now: string,
): InstitutionStatusEntry {
  const interval = input.refresh_interval ?? (input.status === 'DOWN' ? 'STOPPED' : 'NORMAL')
  const [success, error_plaid, error_institution] = breakdowns[input.status]
  const shares = input.breakdown ?? { success, error_plaid, error_institution }
  return {
    status: input.status,
    last_status_change: input.last_status_change ? toUtc(input.last_status_change) : now,
    breakdown: { ...shares, refresh_interval: interval },
    refresh_interval: interval,
  }
}
