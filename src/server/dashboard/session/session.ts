import type { DashboardSession } from '../../../../generated/dashboard/closed.ts'
import { toTimestamp } from '../../kernel/time.ts'
import type { SessionRow } from '../../users/dashboard-access-store.ts'
import { seesPersonalData } from '../roles.ts'
import { isOnThisMachine, type Sender } from '../sender.ts'

/** A working day. */
export const sessionMs = 12 * 3_600_000

/** The operator that a sandbox signs in by itself, on the user's own machine. */
export const localOperator = 'local'

/** Whether the browser needs no link: it is on the user's own machine, and so is the sandbox. */
export const signsInLocally = (environment: string, sender: Sender): boolean =>
  environment === 'sandbox' && isOnThisMachine(sender)

/** A session as its page shows it. */
export const toSession = (
  row: SessionRow,
  environment: DashboardSession['environment'],
): DashboardSession => ({
  environment,
  user_id: row.user_id,
  email_address: row.email_address,
  role: row.role,
  is_operator: row.client_id === '',
  client_id: row.client_id === '' ? null : row.client_id,
  sees_personal_data: seesPersonalData(row.role, environment),
  ends_at: toTimestamp(Number(row.ends_at)),
})
