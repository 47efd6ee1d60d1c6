import type { Queries } from '../../kernel/database.ts'
import { ApiError } from '../../kernel/errors.ts'
import { toTimestamp } from '../../kernel/time.ts'
import { audit } from '../../operator/audit.ts'
import {
  deleteEnded,
  deleteSession,
  deleteSignInKey,
  findAccess,
  findSignInKey,
  insertOperator,
  insertSession,
  type SessionRow,
  updateUser,
} from '../../users/dashboard-access-store.ts'
import { hashAccessKey, newAccessKey } from '../../users/dashboard-sign-in.ts'
import type { Visit, VisitHandler } from '../page-handler.ts'
import { askProvider, type Proof, useProof } from './provider-proof.ts'
import { localOperator, sessionMs, signsInLocally, toSession } from './session.ts'

type User = Omit<SessionRow, 'ends_at'>

async function findUser(
  visit: Visit,
  db: Queries,
  link: string | undefined,
  proof: Proof | undefined,
): Promise<User> {
  if (proof) return useProof(visit, db, proof)
  return link === undefined ? signInLocally(visit, db) : useLink(visit, db, link)
}

export const dashboardSessionBegin: VisitHandler<'dashboardSessionBegin'> = async (
  visit,
  { body },
) => {
  const { service, sender, key: before } = visit
  const now = service.clock()
  const key = newAccessKey()
  const ends_at = now + sessionMs
  const proof = await askProvider(visit, body)
  const user = await service.database.transaction(async (db) => {
    await deleteEnded(db, now)
    const found = await findUser(visit, db, body.key, proof)
    // The browser has one session: the one before would live on unseen.
    if (before !== undefined)
      await deleteSession(db, hashAccessKey(service.keys, 'session', before))
    await insertSession(db, {
      client_id: found.client_id,
      user_id: found.user_id,
      session_hash: hashAccessKey(service.keys, 'session', key),
      created_at: toTimestamp(now),
      ends_at,
      address: sender.address,
    })
    await audit(service, db, {
      actor: `dashboard:${found.user_id}`,
      action: 'dashboard.sign-in',
      client_id: found.client_id,
      subject: found.user_id,
      details: { address: sender.address, by: proof ? 'provider' : body.key ? 'link' : 'machine' },
    })
    return found
  })
  visit.setCookie('session', key, sessionMs / 1000)
  if (proof) visit.setCookie('attempt', '', 0)
  return { session: toSession({ ...user, ends_at }, service.settings.environment) }
}

/** Of two browsers with one link, one deletes its row and is signed in. */
async function useLink({ service }: Visit, db: Queries, link: string): Promise<User> {
  const hash = hashAccessKey(service.keys, 'link', link)
  const user = await findSignInKey(db, hash, service.clock())
  const isFirst = await deleteSignInKey(db, hash)
  if (!user || !isFirst || user.status === 'deactivated') throw new ApiError('SIGN_IN_KEY_INVALID')
  if (user.status === 'invited') await updateUser(db, user, { role: user.role, status: 'active' })
  return { ...user, status: 'active' }
}

async function signInLocally({ service, sender }: Visit, db: Queries): Promise<User> {
  const { settings, clock } = service
  if (!signsInLocally(settings.environment, sender)) {
    throw new ApiError('SIGN_IN_REQUIRED')
  }
  await insertOperator(db, {
    id: localOperator,
    created_at: toTimestamp(clock()),
    email_address: null,
    role: 'admin',
  })
  const user = await findAccess(db, localOperator)
  if (user?.status !== 'active') throw new ApiError('SIGN_IN_REQUIRED')
  return user
}
