import type { DashboardUser } from '#contract/closed.ts'
import type { DashboardUserRow } from './dashboard-store.ts'

/** A dashboard user as the list shows them. */
export const toDashboardUser = (row: DashboardUserRow): DashboardUser => ({
  id: row.id,
  created_at: row.created_at,
  email_address: row.email_address,
  status: row.status,
})
