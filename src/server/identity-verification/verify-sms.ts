import type { VerifySms } from '#contract/closed.ts'
import type { StepState } from './step.ts'
import type { Subject } from './subject.ts'

const allowedCodes = 3

/** The codes that were sent, or an invented one: typed in at once, or wrong three times. */
export function toVerifySms({ user, evidence }: Subject, step: StepState): VerifySms {
  const status = step.found === 'failed' ? 'failed' : 'success'
  const { verifications = [] } = evidence.sms ?? {}
  if (verifications.length > 0) {
    return { status, verifications: verifications.map((one) => ({ ...one, redacted_at: null })) }
  }
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
