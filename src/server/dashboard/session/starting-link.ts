import type { Service } from '../../kernel/service.ts'
import { toTimestamp } from '../../kernel/time.ts'
import { findAccess, insertOperator } from '../../users/dashboard-access-store.ts'
import { createSignInLink } from '../../users/dashboard-sign-in.ts'
import { localOperator } from './session.ts'

/**
 * A link for the operator of a sandbox that browsers reach from other machines: those are not signed in
 * by themselves. Undefined where the operator was disabled.
 */
export async function createStartingLink(service: Service): Promise<string | undefined> {
  const { database, clock, keys, publicUrl } = service
  const now = clock()
  const operator = { id: localOperator, created_at: toTimestamp(now), email_address: null }
  const path = await database.transaction(async (db) => {
    await insertOperator(db, { ...operator, role: 'admin' })
    const user = await findAccess(db, localOperator)
    return user?.status === 'active' ? createSignInLink({ keys, now }, db, user) : undefined
  })
  return path === undefined ? undefined : publicUrl() + path
}
