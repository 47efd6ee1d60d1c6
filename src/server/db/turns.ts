import { NoLane } from './lanes.ts'

/** A mutex for each name. */
export interface Turns {
  /** Fails with `NoLane` what has not had its turn for too long since then. */
  take<Result>(name: string, since: number, work: () => Promise<Result>): Promise<Result>
}

// What takes a second may be asked for by a dozen callers at once; longer, a caller has gone.
const longestWaitMs = 30_000

/** Within this process: of what waits for other processes, one per name has a connection. */
export function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>()
  return {
    async take(name, since, work) {
      const turn = (last.get(name) ?? Promise.resolve()).then(() => {
        if (performance.now() - since < longestWaitMs) return work()
        throw new NoLane('the writes of one client wait for each other', { isBusy: true })
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
