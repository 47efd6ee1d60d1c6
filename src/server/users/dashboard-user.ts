import type { DashboardUser } from '#contract/closed.ts'
import type { DashboardUserRow } from './dashboard-store.ts'

/** A dashboard user as the list shows them. */
export const toDashboardUser = (row: DashboardUserRow): DashboardUser => ({
  id: row.id,
  created_at: row.created_at,
  email_address: row.email_address,
  status: row.status,
})

/** The cursor that continues the list after a dashboard user. */
export const toCursor = (id: string): string => Buffer.from(id).toString('base64url')

/** The id that a cursor was made of; undefined when none can have given this one. */
export function fromCursor(cursor: string): string | undefined {
  const id = Buffer.from(cursor, 'base64url').toString('utf8')
  return /^[\w-]+$/.test(id) && toCursor(id) === cursor ? id : undefined
}
