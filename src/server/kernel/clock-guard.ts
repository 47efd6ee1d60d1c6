import type { Settings } from './context.ts'
import type { Log } from './log.ts'
import { dayMs, toTimestamp } from './time.ts'

/** A clock is set right by less; what was written meanwhile would seem to lie in the future. */
const mostBehindMs = dayMs
/** By a clock that is further ahead, what should be kept would be deleted. */
const mostAheadMs = 90 * dayMs

/** What is wrong with a clock that was right at an earlier moment; nothing where it may be right. */
export function faultOfClock(
  now: number,
  earlier: number,
  environment: Settings['environment'],
): string | undefined {
  if (now < earlier - mostBehindMs) return 'more than a day before'
  // A sandbox may lie in a drawer for a year.
  const isAhead = environment === 'production' && now > earlier + mostAheadMs
  return isAhead ? 'more than 90 days after' : undefined
}

/** Says whether the clock of a running process can be trusted. */
export interface ClockGuard {
  isRight(): boolean
  /** The moment, or the last one before the clock jumped. */
  now(): number
}

/** Looks at the clock each time it is asked: a jump since the last time makes it wrong until it is back. */
export function createClockGuard({
  clock,
  log,
  settings,
}: {
  clock(): number
  log: Log
  settings: Settings
}): ClockGuard {
  let latest = clock()
  let isTold = false
  function isRight(): boolean {
    const now = clock()
    const fault = faultOfClock(now, latest, settings.environment)
    if (fault === undefined) {
      latest = now
      isTold = false
      return true
    }
    if (!isTold) {
      const moments = `${toTimestamp(now)}, ${fault} ${toTimestamp(latest)}`
      const message = 'work in the background waits until the clock is right'
      log.error(new Error(`the clock has jumped to ${moments}`), message)
    }
    isTold = true
    return false
  }

  return {
    isRight,
    now() {
      isRight()
      return latest
    },
  }
}
