import type { IdentityVerificationStatus } from '#contract/closed.ts'
import type { StepName } from './step.ts'
import type { AttemptRow } from './store.ts'

export type DecisionAction = 'approve_step' | 'reject_step' | 'cancel' | 'retry'

/** What a reviewer decided about an attempt. */
export interface Decision {
  /** The revision of the attempt that the decision made. */
  revision: number
  at: string
  user_id: string
  email_address: string | null
  action: DecisionAction
  step: StepName | null
  reason: string
  status_before: IdentityVerificationStatus
  status_after: IdentityVerificationStatus
}

/** The decisions about an attempt, the oldest first. */
export const decisionsOf = ({ decisions }: Pick<AttemptRow, 'decisions'>): Decision[] =>
  JSON.parse(decisions)

/** The columns that a decision changes beside those of what it decides. */
export const withDecision = (
  row: AttemptRow,
  decision: Omit<Decision, 'revision'>,
): Pick<AttemptRow, 'decisions'> => ({
  decisions: JSON.stringify([...decisionsOf(row), { ...decision, revision: row.revision + 1 }]),
})

/** The first decision that somebody who knows only an older revision has missed. */
export const firstAfter = (row: AttemptRow, revision: number): Decision | undefined =>
  decisionsOf(row).find((decision) => decision.revision > revision)
