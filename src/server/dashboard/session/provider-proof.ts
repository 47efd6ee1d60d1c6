import type { Queries } from '../../kernel/database.ts'
import { ApiError, invalidField } from '../../kernel/errors.ts'
import {
  bindSubject,
  findAccessByEmail,
  findAccessBySubject,
  insertSignInKey,
  type SubjectAccess,
  updateUser,
} from '../../users/dashboard-access-store.ts'
import type { PageBody, Visit } from '../page-handler.ts'
import { readAttempt } from '../provider/attempt.ts'
import type { Identity } from '../provider/identity-provider.ts'

/** A genuine answer of the identity provider. */
export interface Proof {
  identity: Identity
  /** The hash by which it is known that it was used. */
  usedHash: string
  endsAt: number
}

/** Asks the provider what its answer is worth. Before the transaction, which must not wait for it. */
export async function askProvider(
  { service, provider, cookie }: Visit,
  { key, provider_answer }: PageBody<'dashboardSessionBegin'>,
): Promise<Proof | undefined> {
  if (provider_answer === undefined) return undefined
  if (key !== undefined) throw invalidField('`provider_answer` must not come together with `key`')
  if (!provider) throw new ApiError('SIGN_IN_PROVIDER_FAILED')
  const attempt = readAttempt(service.keys, cookie('attempt'))
  // Another browser has begun it, or none.
  if (!attempt) throw new ApiError('SIGN_IN_ANSWER_REJECTED')
  const identity = await provider.readAnswer(attempt, provider_answer, service.clock())
  const usedHash = service.keys.hash(`dashboard provider used ${attempt.key}`)
  return { identity, usedHash, endsAt: attempt.endsAt }
}

/**
 * The user that the provider has signed in. The first time they are known by their verified e-mail
 * address, from then on by the provider's own name for them: an address can change hands.
 */
export async function useProof(
  { service }: Pick<Visit, 'service'>,
  db: Queries,
  { identity, usedHash, endsAt }: Proof,
): Promise<SubjectAccess> {
  const subject = service.keys.hash(`dashboard subject ${identity.subject}`)
  const known = await findAccessBySubject(db, subject)
  const user = known ?? (await findNewcomer(db, identity))
  if (!user || user.status === 'deactivated') throw new ApiError('SIGN_IN_USER_UNKNOWN')
  // The provider redeems a code once. If it does not, the second use has the same key here, and fails.
  const isFirst = await insertSignInKey(
    db,
    { ...nobody, key_hash: usedHash, expires_at: endsAt },
    'on conflict do nothing',
  )
  if (isFirst === 0) throw new ApiError('SIGN_IN_ANSWER_REJECTED')
  if (!known) await bindSubject(db, user, subject)
  if (user.status === 'invited') await updateUser(db, user, { role: user.role, status: 'active' })
  return { ...user, status: 'active' }
}

/** It is no link, so it stands among those of no user. */
const nobody = { client_id: '', user_id: '' }

/** Nobody, where several users have the address: it would be a guess. */
async function findNewcomer(db: Queries, { email }: Identity): Promise<SubjectAccess | undefined> {
  if (email === undefined) return undefined
  const found = await findAccessByEmail(db, email)
  return found.length === 1 ? found[0] : undefined
}
