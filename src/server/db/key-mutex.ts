import { NoConnection } from './pool.ts'

/** A mutex for each key. */
interface KeyMutex {
  /** Fails with `NoConnection` if the work waits too long for other work of its key. */
  run<Result>(name: string, since: number, work: () => Promise<Result>): Promise<Result>
}

// A dozen callers may request work of a second at the same time. After this limit callers have
// given up.
const longestWaitMs = 30_000

/**
 * Works within one process. Only one task of each key occupies a connection while it waits for
 * other processes.
 */
export function createKeyMutex(): KeyMutex {
  const last = new Map<string, Promise<unknown>>()
  return {
    async run(name, since, work) {
      const turn = (last.get(name) ?? Promise.resolve()).then(() => {
        if (performance.now() - since < longestWaitMs) return work()
        throw new NoConnection('the writes of one client wait for each other', { isBusy: true })
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
