/** A token bucket: so many at once, and after that so many a minute. */
export interface Limit {
  /** Whether one more is within the limit, which it then counts towards. */
  take(now: number): boolean
  /** Takes one back: it does not count. */
  giveBack(): void
}

const minuteMs = 60_000

export function createLimit(atOnce: number, perMinute: number): Limit {
  let left = atOnce
  let since: number | undefined
  return {
    take(now) {
      // A clock that is set back must not stop the refill.
      const elapsed = Math.abs(now - (since ?? now))
      since = now
      left = Math.min(atOnce, left + (elapsed * perMinute) / minuteMs)
      if (left < 1) return false
      left -= 1
      return true
    },
    giveBack() {
      left = Math.min(atOnce, left + 1)
    },
  }
}
