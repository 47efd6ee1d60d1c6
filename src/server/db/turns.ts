import { NoLane } from './lanes.ts'
import { outageMs } from './limits.ts'

/** Lets work take turns, by what it is about. */
export interface Turns {
  /** Whether anything waits or runs there. */
  areTaken(name: string): boolean
  /** Fails with `NoLane` what has not had its turn for too long since then. */
  take<Result>(name: string, since: number, work: () => Promise<Result>): Promise<Result>
}

// Each of many could else wait in vain, one after the other, as long as the first of them.
const longestWaitMs = 2 * outageMs

/** Turns within this process: of those who wait for other processes, one per name holds a lane. */
export function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>()
  return {
    areTaken: (name) => last.has(name),
    async take(name, since, work) {
      const turn = (last.get(name) ?? Promise.resolve()).then(() => {
        if (performance.now() - since < longestWaitMs) return work()
        throw new NoLane('the writes of one client wait for each other')
      })
      const over = turn.catch(() => {})
      last.set(name, over)
      try {
        return await turn
      } finally {
        if (last.get(name) === over) last.delete(name)
      }
    },
  }
}
