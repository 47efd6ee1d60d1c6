import type { Spread } from './statistics.ts'

/** What a figure has to reach, and what it is aimed at. */
export interface Level {
  what: string
  value: number
  /** The interval of a figure that was measured in pairs. */
  from?: number
  to?: number
  first: number
  second?: number
  /** Whether less is better. */
  atMost?: boolean
}

export type Verdict = 'aim reached' | 'reached' | 'missed'

/** A level is reached when the whole interval reaches it. */
export function judge({ value, from = value, to = value, ...level }: Level): Verdict {
  const { first, second, atMost = false } = level
  const holds = (limit: number) => (atMost ? to <= limit : from >= limit)
  if (!holds(first)) return 'missed'
  return second !== undefined && holds(second) ? 'aim reached' : 'reached'
}

/** With so many digits that it is not taken for the limit beside it. */
const show = (value: number): string =>
  value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 3 : 1 })

/** The value as it is shown, with its interval. */
export const showValue = ({ value, from, to }: Level): string =>
  from === undefined || to === undefined
    ? show(value)
    : `${show(value)} (${show(from)} to ${show(to)})`

type Limits = Pick<Level, 'first' | 'second' | 'atMost'>

/** One figure over another, where both were measured; not rounded. */
export const compare = (
  what: string,
  ours: number | null | undefined,
  theirs: number | null | undefined,
  limits: Limits,
): Level[] => (ours == null || theirs == null ? [] : [{ what, value: ours / theirs, ...limits }])

/** A figure that was measured in pairs, where it was measured. */
export const compareSpread = (
  what: string,
  spread: Spread | undefined,
  limits: Limits,
): Level[] => {
  if (spread === undefined) return []
  const { median: value, from, to } = spread
  return [{ what, value, from, to, ...limits }]
}
