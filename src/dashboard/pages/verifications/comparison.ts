import type { Schemas } from '../../data/api.ts'
import type { Mark } from '../../data/status.ts'
import { markOfResult } from './words.ts'

/** One fact about the person, from each source. */
export interface Fact {
  name: string
  told: string
  document: string
  records: Mark
}

type Address = { street: string | null; city: string | null; country: string } & Partial<
  Record<'street2' | 'region' | 'postal_code', string | null>
>

const none = '–'

const nameOf = (name: Schemas['IdentityVerificationName'] | null | undefined): string =>
  name ? `${name.given_name} ${name.family_name}` : none

const addressOf = (address: Address | null | undefined): string =>
  address
    ? [
        address.street,
        address.street2,
        [address.city, address.region, address.postal_code].filter(Boolean).join(' '),
        address.country,
      ]
        .filter(Boolean)
        .join(', ')
    : none

/** The last upload on which something could be read, or the last one. */
function lastDocument(
  verification: Schemas['IdentityVerification'],
): Schemas['DocumentSubmission'] | undefined {
  const documents = verification.documentary_verification?.documents ?? []
  return documents.findLast(({ extracted_data }) => extracted_data !== null) ?? documents.at(-1)
}

/** What the user says, what the document says, and what the records say of it. */
export function compare(verification: Schemas['IdentityVerification']): Fact[] {
  const { user, kyc_check: records } = verification
  const data = lastDocument(verification)?.extracted_data
  return [
    {
      name: 'Name',
      told: nameOf(user.name),
      document: nameOf(data?.name),
      records: markOfResult(records?.name.summary),
    },
    {
      name: 'Date of birth',
      told: user.date_of_birth ?? none,
      document: data?.date_of_birth ?? none,
      records: markOfResult(records?.date_of_birth.summary),
    },
    {
      name: 'Address',
      told: addressOf(user.address),
      document: addressOf(data?.address),
      records: markOfResult(records?.address.summary),
    },
    {
      name: 'Id number',
      told: user.id_number ? `${user.id_number.value} (${user.id_number.type})` : none,
      document: data?.id_number ?? none,
      records: markOfResult(records?.id_number.summary),
    },
    {
      name: 'Phone number',
      told: user.phone_number ?? none,
      document: none,
      records: markOfResult(records?.phone_number.summary),
    },
    {
      name: 'E-mail address',
      told: user.email_address ?? none,
      document: none,
      records: markOfResult(undefined),
    },
  ]
}
