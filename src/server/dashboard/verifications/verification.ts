import type { IdentityVerification } from '#contract/closed.ts'
import type {
  DashboardVerification,
  DashboardVerificationDecision,
} from '../../../../generated/dashboard/closed.ts'
import { inventedOf, stepsOf } from '../../identity-verification/attempt.ts'
import type { Decision } from '../../identity-verification/decision.ts'
import { openSteps } from '../../identity-verification/step.ts'
import type { AttemptRow } from '../../identity-verification/store.ts'
import { unknownUser } from '../../identity-verification/subject.ts'
import type { ListedAttempt } from './store.ts'

/** An attempt as lists show it. */
export const toDashboardVerification = (row: ListedAttempt): DashboardVerification => ({
  id: row.id,
  client_user_id: row.client_user_id,
  status: row.status,
  template: { id: row.template_id, version: row.template_version },
  needs_review: row.review_closed === 0 && ['failed', 'pending_review'].includes(row.status),
  open_steps: openSteps(stepsOf(row)),
  created_at: row.created_at,
  completed_at: row.completed_at,
  previous_attempt_id: row.previous_attempt_id,
})

export const toDecision = (
  { revision: _, ...rest }: Decision,
  seesPersonalData: boolean,
): DashboardVerificationDecision =>
  seesPersonalData ? rest : { ...rest, email_address: null, reason: null }

/** The attempt for those who may not see personal data. The link would open the user's session. */
export const withoutPerson = (shown: IdentityVerification): IdentityVerification => ({
  ...shown,
  shareable_url: null,
  user: unknownUser,
  documentary_verification: null,
  selfie_check: null,
  kyc_check: null,
  risk_check: null,
  verify_sms: null,
})

/** The attempt without what the sandbox made up about its user. */
export function withoutInvented(
  shown: IdentityVerification,
  row: AttemptRow,
): IdentityVerification {
  const nothing = Object.fromEntries(inventedOf(row).map((name) => [name, null]))
  return { ...shown, user: { ...shown.user, ...nothing } }
}

/** Whether a reviewer can call the attempt off. */
export const canCancel = ({ completed_at }: Pick<AttemptRow, 'completed_at'>): boolean =>
  completed_at === null

/** Whether the user can get another attempt: not beside one that goes on. */
export const canRetry = (row: Pick<AttemptRow, 'completed_at' | 'id'>, newestId: string): boolean =>
  row.completed_at !== null && row.id === newestId
