import type { VerifySms } from '#contract/closed.ts'
import type { StepState } from './step.ts'
import type { Subject } from './subject.ts'

const allowedCodes = 3

/** The code that was sent to the user's number: typed in at once, or wrong three times. */
export function toVerifySms({ user }: Subject, step: StepState): VerifySms {
  const status = step.found === 'failed' ? 'failed' : 'success'
  const verification = {
    status,
    attempt: 1,
    phone_number: user.phone_number,
    delivery_attempt_count: 1,
    solve_attempt_count: status === 'failed' ? allowedCodes : 1,
    initially_sent_at: step.found_at,
    last_sent_at: step.found_at,
    redacted_at: null,
  } as const
  return { status, verifications: [verification] }
}
