import type { KnownUser } from '../../identity-verification/subject.ts'
import { currentVersion, describeOperation } from '../../versions/select-version.ts'
import type { Drafts, PersonDraft } from './drafts.ts'
import type { Visit } from './visit.ts'

/** Drafts with an answer about the person, and without those that no longer fit. */
export function withAnswer(drafts: Drafts, answer: PersonDraft): Drafts {
  const { person = {} } = drafts
  const isMoved = answer.country !== undefined && answer.country !== person.country
  const { address: _, id_number: __, ...kept } = person
  return { ...drafts, person: { ...(isMoved ? kept : person), ...answer } }
}

/** What is known of the person with what they answered. */
export function personOf({ user, drafts }: Pick<Visit, 'user' | 'drafts'>): KnownUser {
  const { name, date_of_birth, address, id_number } = drafts.person ?? {}
  return {
    ...user,
    name: user.name ?? name ?? null,
    date_of_birth: user.date_of_birth ?? date_of_birth ?? null,
    address: address ?? user.address,
    id_number: user.id_number ?? id_number ?? null,
  }
}

/** The country of the person, as far as it is known. */
export const countryOf = ({ user, drafts }: Pick<Visit, 'user' | 'drafts'>): string | undefined =>
  user.address?.country ?? drafts.person?.country

/** The paths of what the contract would reject of a user, such as `address.region`. */
export async function findProblems(user: Partial<Record<keyof KnownUser, unknown>>) {
  const { validators } = await describeOperation('identityVerificationCreate', currentVersion)
  const { request } = await validators()
  const body = {
    template_id: 'idvtmp_1',
    client_user_id: 'user-1',
    is_shareable: false,
    gave_consent: false,
    user,
  }
  return request.issues(body).map(({ path }) => path.replace(/^user\./, ''))
}
