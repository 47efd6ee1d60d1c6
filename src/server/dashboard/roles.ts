import type { DashboardRole } from '../../../generated/dashboard/closed.ts'
import { operations } from '../../../generated/dashboard/operations.ts'
import { ApiError } from '../kernel/errors.ts'
import type { PageOperationId } from './page-handler.ts'

type Tag = (typeof operations)[PageOperationId]['tag']

const everybody: readonly DashboardRole[] = ['reviewer', 'developer', 'admin']
const deciding: readonly DashboardRole[] = ['reviewer', 'admin']
const technical: readonly DashboardRole[] = ['developer', 'admin']

/** Who may call the operations of a tag: one without an entry does not compile. */
const rolesOf: Readonly<Record<Tag, readonly DashboardRole[]>> = {
  'dashboard-session': everybody,
  'dashboard-clients': everybody,
  'dashboard-overview': everybody,
  'dashboard-requests': technical,
  'dashboard-items': technical,
  'dashboard-webhooks': technical,
  'dashboard-verifications': everybody,
  'dashboard-decisions': deciding,
  'dashboard-team': ['admin'],
  'dashboard-reports': technical,
  'dashboard-wallets': technical,
  'dashboard-transfers': technical,
  'dashboard-end-users': everybody,
  'dashboard-institutions': technical,
  'dashboard-docs': everybody,
  'dashboard-audit': ['admin'],
  'dashboard-sandbox': technical,
  'dashboard-secrets': ['admin'],
  'dashboard-simulations': technical,
}

/** What production does not have. */
const ofSandbox: readonly Tag[] = [
  'dashboard-sandbox',
  'dashboard-secrets',
  'dashboard-simulations',
]

export function requireEnvironment(operationId: PageOperationId, environment: string): void {
  if (environment === 'sandbox' || !ofSandbox.includes(operations[operationId].tag)) return
  throw new ApiError('OBJECT_NOT_FOUND')
}

/** Operations that are about the session, and no client. */
export const isOfSession = (operationId: PageOperationId): boolean =>
  operations[operationId].tag === 'dashboard-session'

/** Operations that are about no client's data. */
export const isOfVisit = (operationId: PageOperationId): boolean =>
  isOfSession(operationId) || operations[operationId].tag === 'dashboard-clients'

export function requireRole(operationId: PageOperationId, role: DashboardRole): void {
  if (!rolesOf[operations[operationId].tag].includes(role)) throw new ApiError('ROLE_REQUIRED')
}

/** A developer gets no personal data of real people. */
export const seesPersonalData = (role: DashboardRole, environment: string): boolean =>
  environment === 'sandbox' || role !== 'developer'
