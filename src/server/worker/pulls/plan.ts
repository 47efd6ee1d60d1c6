import { createHash } from 'node:crypto'
import { addDays, dayMs } from '../../kernel/time.ts'
import type { CallLimits, Window } from '../../protocols/protocol.ts'
import type { FailureKind } from '../../protocols/source-failed.ts'
import { countCalls, waitForCall } from '../../queue/pull-quota.ts'
import type { PullRow } from '../../queue/pull-store.ts'

/** Each read of the latest days goes back so far, to find late rows and what became of pending ones. */
const latestDays = 30
/** How much each read overlaps the one before it and the one after it. */
export const overlapDays = 10

const minuteMs = 60_000
const hourMs = 60 * minuteMs
/** How often an Item is read. The contract promises 1 to 4 times a day. */
const intervalMs = 6 * hourMs
/** The pause before the next part of the history. */
const historyPauseMs = 2 * minuteMs
const firstRetryMs = 5 * minuteMs
const longestRetryMs = 6 * hourMs
/** Who must act is a person: asking more often would only use up the quota. */
const longestLoginRetryMs = dayMs

/** What the next call asks for: the latest days, or older ones once those have been read. */
export function windowOf(pull: Pick<PullRow, 'history' | 'read_at'>, now: number): Window {
  if (pull.history !== null && now - pull.read_at < intervalMs) return JSON.parse(pull.history)
  const today = new Date(now).toISOString().slice(0, 10)
  // Where an institution is ahead of UTC, it is tomorrow already.
  return { from: addDays(today, -latestDays), to: addDays(today, 1) }
}

/** The latest days that are missing of one account or another, as one call can ask for them. */
export function nextHistory(
  booked: readonly (readonly Window[])[],
  first: string,
  today: string,
  { maxWindowDays }: CallLimits,
): Window | undefined {
  const gaps = booked.flatMap((ranges) => latestGap(ranges, first) ?? [])
  const gap = gaps.sort((one, other) => other.to.localeCompare(one.to))[0]
  if (!gap) return undefined
  const to = [addDays(gap.to, overlapDays), addDays(today, 1)].sort()[0] ?? today
  return { from: [first, addDays(to, 1 - maxWindowDays)].sort().at(-1) ?? first, to }
}

/** The latest days after `first` that no range has. What is missing at the end, the next read finds. */
function latestGap(ranges: readonly Window[], first: string): Window | undefined {
  const sorted = ranges.toSorted((one, other) => other.from.localeCompare(one.from))
  const [last, before] = sorted
  if (!last || last.from <= first) return undefined
  const from = before === undefined ? first : addDays(before.to, 1)
  return { from: from < first ? first : from, to: addDays(last.from, -1) }
}

/** When to read again after a read. `isHistory` says that older days are still missing. */
export function nextRead(
  pull: Pick<PullRow, 'client_id' | 'item_id' | 'fence' | 'calls'>,
  limits: CallLimits,
  now: number,
  isHistory: boolean,
): number {
  // The rest of the quota is for the latest days, and for clients that ask for them.
  const isRoom = countCalls(pull.calls, now) < (limits.callsPerDay * 2) / 3
  const wait = isHistory && isRoom ? historyPauseMs : intervalMs
  return now + Math.max(withJitter(wait, pull), waitForCall(pull.calls, limits, now))
}

/** When to try again after a read that failed, with growing waits. */
export function nextTry(
  pull: Pick<PullRow, 'client_id' | 'item_id' | 'fence' | 'calls' | 'failures'>,
  { kind, waitMs }: { kind: FailureKind; waitMs: number },
  limits: CallLimits,
  now: number,
): number {
  const needsUser = kind === 'login' || kind === 'setup'
  const [base, longest] = needsUser
    ? [intervalMs, longestLoginRetryMs]
    : [firstRetryMs, longestRetryMs]
  const wait = Math.min(base * 2 ** Math.min(pull.failures, 10), longest)
  const least = Math.max(waitMs, waitForCall(pull.calls, limits, now))
  return now + Math.max(withJitter(wait, pull), least)
}

/** Spreads what began together, by up to a tenth of the wait, and always in the same way. */
function withJitter(
  ms: number,
  { client_id, item_id, fence }: Pick<PullRow, 'client_id' | 'item_id' | 'fence'>,
) {
  const digits = createHash('sha256').update(`${client_id}\n${item_id}\n${fence}`).digest('hex')
  const share = Number.parseInt(digits.slice(0, 8), 16) / 0xffffffff
  return Math.round(ms * (0.9 + share / 5))
}
