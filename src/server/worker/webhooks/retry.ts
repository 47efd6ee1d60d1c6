import { dayMs } from '../../kernel/time.ts'
import type { EndpointRecord } from '../../queue/webhook-attempt-store.ts'

/** How long a receiver may take to respond. */
export const attemptTimeoutMs = 10_000

const firstDelay = 30_000
const factor = 4
/** The minimum number of attempts before retries for an endpoint are stopped. */
const fewestJudged = 10
const tolerated = 0.9

/** The time in which all attempts are made, and for which rejections are counted. */
export const retryWindow = dayMs

/**
 * How long after a failed attempt, the planned one number `made`, the next one is due. Null if that is after the end of
 * the window, as for the seventh.
 */
export function nextDelay(made: number, sinceFirst: number): number | null {
  const delay = firstDelay * factor ** (made - 1)
  return sinceFirst + delay <= retryWindow ? delay : null
}

/** Whether an endpoint rejects so many requests that it gets first attempts only. */
export const isGivenUp = ({ attempts, rejected }: EndpointRecord): boolean =>
  attempts >= fewestJudged && rejected > attempts * tolerated
