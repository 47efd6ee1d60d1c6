import { ConfigError } from '../config/read-option.ts'
import { faultOfClock } from '../kernel/clock-guard.ts'
import type { Settings } from '../kernel/context.ts'
import { toTimestamp } from '../kernel/time.ts'

/** Rejects a start by a clock that does not fit the moment at which the data was last used. */
export function rejectWrongClock(
  now: number,
  lastUsed: number | undefined,
  environment: Settings['environment'],
): void {
  if (lastUsed === undefined) return
  const fault = faultOfClock(now, lastUsed, environment)
  if (fault === undefined) return
  throw new ConfigError(
    `the clock says ${toTimestamp(now)}, ${fault} the data was last used (${toTimestamp(lastUsed)}): set it right, or start once with --accept-clock (ACCEPT_CLOCK)`,
  )
}
