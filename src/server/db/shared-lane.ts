import type { Lane } from './lane.ts'
import type { Lanes } from './lanes.ts'

/** A connection that several have at once: each of their statements is a transaction of its own. */
interface Shared {
  lane: Promise<Lane>
  /** The same, once it is there. */
  open: Lane | undefined
  since: number
  users: number
}

/** Lookups and groups of reads; more would wait for each other longer than for another connection. */
const mostUsers = 8
/** Whoever comes later waits for a connection in its own time. */
const mostEarlierMs = 100

/**
 * Runs works that send single statements on as few connections as there is need of: what is sent in
 * one turn of the event loop goes out in one write, and the server reads it in one go.
 */
export function createSharedLane(lanes: Lanes) {
  let latest: Shared | undefined

  function hasRoom({ users, open, since }: Shared, now: number): boolean {
    if (users >= mostUsers) return false
    return open ? !open.isLost() && !open.isOld() : now - since < mostEarlierMs
  }

  function join(since: number): Shared {
    if (latest && hasRoom(latest, since)) return latest
    const shared: Shared = { lane: lanes.take(since), open: undefined, since, users: 0 }
    shared.lane.then(
      (lane) => {
        shared.open = lane
      },
      () => forget(shared),
    )
    latest = shared
    return shared
  }

  function forget(shared: Shared): void {
    if (latest === shared) latest = undefined
  }

  function leave(shared: Shared): void {
    shared.users -= 1
    if (shared.users > 0) return
    forget(shared)
    if (shared.open) lanes.give(shared.open)
  }

  return async <Result>(since: number, work: (lane: Lane) => Promise<Result>): Promise<Result> => {
    const shared = join(since)
    shared.users += 1
    try {
      return await work(shared.open ?? (await shared.lane))
    } finally {
      leave(shared)
    }
  }
}
