import { lastingCodes } from '#contract/client-table.ts'
import type { Outcome } from './attempt.ts'

/** Milliseconds that the wait before the second attempt stays under; doubled for each further one. */
const firstWait = 500
const longestWait = 8_000
/** A `Retry-After` beyond this is for the caller to heed, whose patience is not known here. */
const longestRetryAfter = 60_000

/** Whether the same request may succeed a little later. */
export function isPassing({ status = 503, result }: Outcome): boolean {
  const lasting = lastingCodes.includes(result?.error?.error_code ?? '')
  return (status === 429 || status >= 500) && !lasting
}

/** Milliseconds before the next attempt, or undefined when the wait would be too long. */
export function nextDelay(attempt: number, retryAfter: number, left: number): number | undefined {
  // The whole span is drawn from, so that clients which failed together do not come back together.
  const jitter = Math.random() * Math.min(longestWait, firstWait * 2 ** (attempt - 1))
  const asked = retryAfter * 1000
  const delay = asked + jitter
  return asked > longestRetryAfter || delay >= left ? undefined : delay
}

/** The seconds of a `Retry-After` header, in either of its forms. */
export function readRetryAfter(header: string | null): number | undefined {
  if (!header) return undefined
  const seconds = Number(header) || (Date.parse(header) - Date.now()) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds))
}
