import type { Lane } from './lane.ts'
import { outageMs } from './limits.ts'

/** A limited number of connections, handed out first come first served. */
export interface Lanes {
  /** Waits for one that is free, for a while since then; fails with `NoLane` after it. */
  take(since: number): Promise<Lane>
  give(lane: Lane): void
  /** Ends them all, once those that are out have come back. */
  close(): Promise<void>
}

/** The time to wait for a connection, or for work that comes before, is over. */
export class NoLane extends Error {
  /** Whether the database is there, and others had what was waited for. */
  readonly isBusy: boolean
  constructor(message: string, { isBusy = false } = {}) {
    super(message)
    this.isBusy = isBusy
  }
}

interface Waiter {
  resolve(lane: Lane): void
  reject(error: NoLane): void
  timer: NodeJS.Timeout
}

/** How often it is tried to open one, while that fails. */
const pauseMs = 100

export function createLanes(open: () => Promise<Lane>, size: number, first: Lane): Lanes {
  const free: Lane[] = [first]
  const waiting = new Set<Waiter>()
  let count = 1
  let opening = 0
  /** Why the latest one could not be opened. */
  let failure: Error | undefined
  let pause: NodeJS.Timeout | undefined
  let closed: (() => void) | undefined

  /** Opens as many as are waited for; just one at a time while that fails. */
  function openMore(): void {
    const most = failure ? 1 : waiting.size
    while (!pause && opening < Math.min(most, waiting.size) && count < size) {
      opening += 1
      count += 1
      void openOne()
    }
  }

  async function openOne(): Promise<void> {
    try {
      const lane = await open()
      opening -= 1
      failure = undefined
      arrive(lane)
    } catch (error) {
      opening -= 1
      count -= 1
      failure = error as Error
      pause ??= setTimeout(() => {
        pause = undefined
        openMore()
      }, pauseMs)
    }
    openMore()
    seeWhetherClosed()
  }

  function arrive(lane: Lane): void {
    const [next] = waiting
    if (!next) return void free.push(lane)
    waiting.delete(next)
    clearTimeout(next.timer)
    next.resolve(lane)
  }

  /** Its place is free once it has ended: of a lost one that is at once. */
  function discard(lane: Lane): void {
    const leave = () => {
      count -= 1
      openMore()
      seeWhetherClosed()
    }
    void lane.end().then(leave, leave)
  }

  /** While none can be opened, the wait is over sooner: those that are out may be lost, too. */
  function wait(waiter: Waiter, ms: number, isLast = false): void {
    waiter.timer = setTimeout(() => {
      if (!failure && !isLast) return wait(waiter, outageMs, true)
      waiting.delete(waiter)
      const message = failure?.message ?? 'all connections to the database are in use'
      waiter.reject(new NoLane(message, { isBusy: !failure }))
    }, ms)
  }

  function seeWhetherClosed(): void {
    if (free.length === count) closed?.()
  }

  return {
    take(since) {
      for (let lane = free.pop(); lane; lane = free.pop()) {
        if (!lane.isLost()) return Promise.resolve(lane)
        discard(lane)
      }
      return new Promise((resolve, reject) => {
        const waiter = { resolve, reject } as Waiter
        wait(waiter, Math.max(0, since + outageMs - performance.now()))
        waiting.add(waiter)
        openMore()
      })
    },
    give(lane) {
      if (!lane.isLost() && !lane.isOld()) arrive(lane)
      else {
        // What one line has lost, the others have most likely lost as well.
        if (lane.isLost()) for (const other of free.splice(0)) discard(other)
        discard(lane)
      }
      seeWhetherClosed()
    },
    async close() {
      if (free.length < count) await new Promise<void>((resolve) => (closed = resolve))
      await Promise.all(free.map((lane) => lane.end()))
    },
  }
}
