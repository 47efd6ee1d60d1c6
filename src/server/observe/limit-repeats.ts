/** Keeps a failure that comes with every request from burying all else in the log. */
export interface Repeats {
  /**
   * Whether one of this kind is to be told: then how many of any kind were kept back before it,
   * else undefined.
   */
  admit(kind: string): number | undefined
}

const windowMs = 1000
const mostInWindow = 10

/** Lets through the first few of each kind in each second. */
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
