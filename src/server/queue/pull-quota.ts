import type { CallLimits } from '../protocols/protocol.ts'

const dayMs = 86_400_000

/** The times of calls in the day before `now`. */
const within = (calls: string, now: number): number[] =>
  (JSON.parse(calls) as number[]).filter((at) => at > now - dayMs)

type Quota = Pick<CallLimits, 'callsPerDay' | 'minIntervalSeconds'>

/**
 * How many ms a call must wait, by the calls of the last 24 hours. Their window has no fixed start, so
 * no day of the source can have more, whatever its time zone.
 */
export function waitForCall(calls: string, quota: Quota, now: number): number {
  const times = within(calls, now).sort((one, other) => one - other)
  const last = times.at(-1)
  const oldest = times.at(-quota.callsPerDay)
  const untilInterval = last === undefined ? 0 : last + quota.minIntervalSeconds * 1000 - now
  const untilDay = oldest === undefined ? 0 : oldest + dayMs - now
  return Math.max(0, untilInterval, untilDay)
}

/** The calls of the last 24 hours, with one more. */
export const withCall = (calls: string, now: number): string =>
  JSON.stringify([...within(calls, now), now])

/** How many calls were made in the last 24 hours. */
export const countCalls = (calls: string, now: number): number => within(calls, now).length
