import type {
  ConsumerReportUserIdentityInput,
  UserAddressInput,
  UserIdentityInput,
  UserIdNumberInput,
} from '#contract/closed.ts'
import type {
  DashboardEndUser,
  DashboardEndUserIdentity,
  DashboardEndUserItem,
} from '../../../../generated/dashboard/closed.ts'
import type { Keys } from '../../kernel/keys.ts'
import type { EndUserItemRow, EndUserRow } from './store.ts'

export const toDashboardEndUser = (row: EndUserRow): DashboardEndUser => ({
  user_id: row.user_id,
  client_user_id: row.client_user_id,
  created_at: row.created_at,
})

export const toDashboardEndUserItems = (rows: readonly EndUserItemRow[]): DashboardEndUserItem[] =>
  rows.flatMap(({ item_id, institution_name, health_error }) =>
    item_id === null ? [] : [{ item_id, institution_name, error_code: health_error }],
  )

type Told = Omit<UserIdentityInput, 'id_numbers'>
type ToldForReports = Omit<ConsumerReportUserIdentityInput, 'ssn_full' | 'ssn_last_4'>

/** What is known of a user from both of their identities; null when nothing was told. */
export function toDashboardIdentity(
  row: EndUserItemRow,
  keys: Keys,
): DashboardEndUserIdentity | null {
  if (row.identity === null && row.consumer_report_user_identity === null) return null
  const own = parse<Told>(row.identity)
  const report = parse<ToldForReports>(row.consumer_report_user_identity)
  const names = own?.name
    ? [own.name.given_name, own.name.family_name]
    : [report?.first_name, report?.last_name]
  const listed = own?.addresses?.map(toLine) ?? []
  return {
    name: names.filter(Boolean).join(' ') || null,
    date_of_birth: own?.date_of_birth ?? report?.date_of_birth ?? null,
    emails: unique([...(own?.emails ?? []), ...(report?.emails ?? [])]),
    phone_numbers: unique([...(own?.phone_numbers ?? []), ...(report?.phone_numbers ?? [])]),
    addresses: report
      ? unique([
          ...listed,
          toLine({ ...report.primary_address, street_1: report.primary_address.street }),
        ])
      : listed,
    id_numbers: typesOf(row, keys),
  }
}

const parse = <Value>(json: string | null): Value | undefined =>
  json === null ? undefined : (JSON.parse(json) as Value)

/** Each is a text, or an object with one. */
const unique = (values: readonly (string | { data: string })[]): string[] => [
  ...new Set(values.map((value) => (typeof value === 'string' ? value : value.data))),
]

type Address = Pick<
  UserAddressInput,
  'street_1' | 'street_2' | 'city' | 'region' | 'postal_code' | 'country'
>

const toLine = ({ street_1, street_2, city, region, postal_code, country }: Address): string =>
  [street_1, street_2, city, [region, postal_code].filter(Boolean).join(' '), country]
    .filter(Boolean)
    .join(', ')

/** The types of the id numbers: the numbers themselves are shown to nobody. */
function typesOf(row: EndUserItemRow, keys: Keys): string[] {
  const listed =
    row.id_numbers === null
      ? []
      : (JSON.parse(keys.decrypt(row.id_numbers)) as (UserIdNumberInput | null)[])
  return [
    ...new Set([
      ...listed.flatMap((number) => (number === null ? [] : [number.type])),
      ...(row.ssn_full === null ? [] : ['us_ssn']),
      ...(row.ssn_last_4 === null ? [] : ['us_ssn_last_4']),
    ]),
  ]
}
