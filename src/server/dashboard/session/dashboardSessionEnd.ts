import { audit } from '../../operator/audit.ts'
import { deleteSession } from '../../users/dashboard-access-store.ts'
import { hashAccessKey } from '../../users/dashboard-sign-in.ts'
import type { VisitHandler } from '../page-handler.ts'

/** Succeeds where nobody is signed in, too: the page wants no session, and there is none. */
export const dashboardSessionEnd: VisitHandler<'dashboardSessionEnd'> = async (visit) => {
  const { service, session, key, sender } = visit
  visit.setCookie('session', '', 0)
  if (!session || key === undefined) return {}
  const { client_id, user_id } = session
  await service.database.transaction(async (db) => {
    await deleteSession(db, hashAccessKey(service.keys, 'session', key))
    await audit(service, db, {
      actor: `dashboard:${user_id}`,
      action: 'dashboard.sign-out',
      client_id,
      subject: user_id,
      details: { address: sender.address },
    })
  })
  return {}
}
