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

/** More would wait for each other longer than for another connection. */
const mostUsers = 32
/**
 * For so long others may join: whoever comes later must not wait behind a statement that hangs, and
 * a connection that never came back would be missing to those who need one for themselves.
 */
const joiningMs = 20

/**
 * Runs works that send single statements on as few connections as there is need of: what is sent in
 * one turn of the event loop goes out together, and the server reads it in one go.
 */
export function createSharedLane(lanes: Lanes, now: () => number = () => performance.now()) {
  let latest: Shared | undefined

  function join(begun: number): Shared {
    const since = now()
    if (latest && latest.users < mostUsers && since - latest.since < joiningMs) {
      if (!latest.open?.isLost()) return latest
    }
    const shared: Shared = { lane: lanes.take(begun), open: undefined, since, users: 0 }
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

  /** `begun` is since when it has waited for a connection. */
  return async <Result>(begun: number, work: (lane: Lane) => Promise<Result>): Promise<Result> => {
    const shared = join(begun)
    shared.users += 1
    try {
      return await work(shared.open ?? (await shared.lane))
    } finally {
      leave(shared)
    }
  }
}
