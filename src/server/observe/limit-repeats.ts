/** Limits repeated log entries, such as a failure of every request. */
export interface Repeats {
  /** Returns undefined to drop an entry of this kind, or else how many entries were dropped before it. */
  admit(kind: string): number | undefined
}

const windowMs = 1000
const mostInWindow = 10

/** Admits the first few of each kind in each second. */
export function createRepeatLimiter(now: () => number = () => performance.now()): Repeats {
  let counts = new Map<string, number>()
  let begun = Number.NEGATIVE_INFINITY
  let keptBack = 0
  return {
    admit(kind) {
      if (now() - begun > windowMs) {
        counts = new Map()
        begun = now()
      }
      const count = (counts.get(kind) ?? 0) + 1
      counts.set(kind, count)
      if (count > mostInWindow) {
        keptBack += 1
        return undefined
      }
      const told = keptBack
      keptBack = 0
      return told
    },
  }
}
