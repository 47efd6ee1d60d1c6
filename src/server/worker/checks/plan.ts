import type { CheckAnswer } from '../../protocols/identity-provider.ts'
import type { CheckRow } from '../../queue/identity-check-store.ts'

const secondMs = 1000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs

/** A code is of no use later: the page has another one made. */
const codeMs = 10 * minuteMs
/** After that a reviewer decides in place of a provider. */
const checkMs = 24 * hourMs

type Timed = Pick<CheckRow, 'step' | 'created_at' | 'calls'>

/** When nobody waits for the provider any longer. */
export const endOf = ({ step, created_at }: Pick<Timed, 'step' | 'created_at'>): number =>
  created_at + (step === 'verify_sms' ? codeMs : checkMs)

/** The pause before another try, after a call that failed. It doubles with each failure. */
export function retryDelay({ step, calls }: Timed): number {
  const [first, longest] =
    step === 'verify_sms' ? [secondMs, 30 * secondMs] : [5 * secondMs, hourMs]
  return Math.min(first * 2 ** Math.min(calls, 20), longest)
}

/** The pause before the next question, for a check that the provider works on. */
export const pollDelay = (
  { calls }: Timed,
  { retry_after_seconds }: Pick<CheckAnswer, 'retry_after_seconds'>,
): number =>
  retry_after_seconds === undefined
    ? Math.min(2 * secondMs * 2 ** Math.min(calls, 20), 10 * minuteMs)
    : retry_after_seconds * secondMs
