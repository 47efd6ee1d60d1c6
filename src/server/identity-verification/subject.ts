import type {
  IdentityVerificationAddress,
  IdentityVerificationUser,
  IdentityVerificationUserInput,
} from '#contract/closed.ts'
import { pickName } from '../simulation/owners.ts'
import { createRandom, type Random } from '../simulation/random.ts'
import { homeIn, pickTown } from '../simulation/towns.ts'
import type { Evidence } from './evidence.ts'
import type { PictureType } from './pictures/picture.ts'
import type { Uploads } from './pictures/uploads.ts'
import type { StepName } from './step.ts'

/** What is known of the user of an attempt. */
export type KnownUser = Required<IdentityVerificationUser>

/** What the results of an attempt follow from: the same attempt always shows the same. */
export interface Subject {
  id: string
  created_at: string
  user: KnownUser
  /** What the person did on the page. */
  evidence: Evidence
  /** A link to one of the attempt's pictures. */
  imageUrl(name: string, type?: PictureType): string
  /** What the user uploaded. Where there is nothing, invented pictures are shown. */
  uploads: Uploads
}

/** A stream of numbers for one part of an attempt. */
export const randomOf = (id: string, part: string): Random =>
  createRandom(`identity verification ${id}/${part}`)

export const unknownUser: KnownUser = {
  phone_number: null,
  date_of_birth: null,
  ip_address: null,
  email_address: null,
  name: null,
  address: null,
  id_number: null,
}

/** The user as a request describes them: what it leaves out is null. */
export function toKnownUser(input: IdentityVerificationUserInput | null | undefined): KnownUser {
  if (!input) return unknownUser
  const { name, address, id_number } = input
  return {
    phone_number: input.phone_number ?? null,
    date_of_birth: input.date_of_birth ?? null,
    ip_address: input.ip_address ?? null,
    email_address: input.email_address ?? null,
    name: name ? { given_name: name.given_name, family_name: name.family_name } : null,
    address: address
      ? {
          street: address.street ?? null,
          street2: address.street2 ?? null,
          city: address.city ?? null,
          region: address.region ?? null,
          postal_code: address.postal_code ?? null,
          country: address.country,
        }
      : null,
    id_number: id_number ? { value: id_number.value, type: id_number.type } : null,
  }
}

/** The user after a step in which the session asked for what was not known yet. */
export function afterStep(user: KnownUser, id: string, step: StepName): KnownUser {
  const seen = { ...user, ip_address: user.ip_address ?? randomOf(id, 'network').pick(networks) }
  if (step === 'verify_sms') return { ...seen, phone_number: user.phone_number ?? phoneOf(id) }
  return step === 'kyc_check' ? withPerson(seen, id) : seen
}

/** Addresses that are set aside for documentation. */
const networks = ['192.0.2.18', '198.51.100.7', '203.0.113.42', '2001:db8:4c::17']

/** A number that is set aside for stories. */
const phoneOf = (id: string): string => `+141555501${randomOf(id, 'phone').digits(2)}`

/** Fills in who the user says to be, where that is not known. */
export function withPerson(user: KnownUser, id: string): KnownUser {
  const random = randomOf(id, 'person')
  const [given_name = '', family_name = ''] = pickName(random).split(' ')
  const two = (from: number, to: number) => String(random.integer(from, to)).padStart(2, '0')
  const date_of_birth = `${two(1955, 2004)}-${two(1, 12)}-${two(1, 28)}`
  const address = withHome(user.address, random)
  // Social security numbers never start with a 9.
  const ssn = { value: `9${random.digits(8)}`, type: 'us_ssn' as const }
  return {
    ...user,
    name: user.name ?? { given_name, family_name },
    date_of_birth: user.date_of_birth ?? date_of_birth,
    address,
    id_number: user.id_number ?? (address.country === 'US' ? ssn : null),
  }
}

/** Completes an address; where only a foreign country is known, nothing can be made up. */
function withHome(
  known: IdentityVerificationAddress | null,
  random: Random,
): IdentityVerificationAddress {
  const { street, city, region, postal_code } = homeIn(random, pickTown(random, 'US'))
  if (known && (known.street !== null || known.country !== 'US')) return known
  return { street, street2: null, city, region, postal_code, country: 'US' }
}
