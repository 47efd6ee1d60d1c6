import { type Lane, openLane } from './lane.ts'

/** A limited number of connections, handed out first come first served. */
export interface Lanes {
  take(): Promise<Lane>
  give(lane: Lane): void
  /** Ends them all, once those that are out have come back. */
  close(): Promise<void>
}

export function createLanes(url: string, size: number): Lanes {
  const free: Lane[] = []
  const waiting: ((lane: Promise<Lane>) => void)[] = []
  let open = 0
  let closed: (() => void) | undefined

  async function openOne(): Promise<Lane> {
    open += 1
    try {
      return await openLane(url)
    } catch (error) {
      open -= 1
      // Whoever waits would else wait for one that never comes.
      waiting.shift()?.(openOne())
      throw error
    }
  }

  function discard(lane: Lane): void {
    open -= 1
    void lane.end()
  }

  return {
    async take() {
      for (let lane = free.pop(); lane; lane = free.pop()) {
        if (!lane.isLost()) return lane
        discard(lane)
      }
      if (open < size) return openOne()
      return new Promise((resolve) => waiting.push(resolve))
    },
    give(lane) {
      const isUsable = !lane.isLost() && !lane.isOld()
      if (!isUsable) discard(lane)
      const next = waiting.shift()
      if (next) next(isUsable ? Promise.resolve(lane) : openOne())
      else if (isUsable) free.push(lane)
      if (free.length === open) closed?.()
    },
    async close() {
      if (free.length < open) await new Promise<void>((resolve) => (closed = resolve))
      await Promise.all(free.map((lane) => lane.end()))
    },
  }
}
