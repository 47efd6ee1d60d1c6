import type { Connection } from './connection.ts'
import type { Pool } from './pool.ts'

/** A connection that several have at once: each of their statements is a transaction of its own. */
interface Shared {
  taken: Promise<Connection>
  /** The same, once it is there. */
  connection?: Connection
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
export function createSharedConnection(pool: Pool, now: () => number = () => performance.now()) {
  let latest: Shared | undefined

  function join(begun: number): Shared {
    const since = now()
    const isOpen =
      latest &&
      latest.users < mostUsers &&
      since - latest.since < joiningMs &&
      !latest.connection?.isLost()
    if (latest && isOpen) return latest
    latest = { taken: pool.acquire(begun), since, users: 0 }
    return latest
  }

  /** `begun` is since when it has waited for a connection. */
  return async <Result>(
    begun: number,
    work: (connection: Connection) => Promise<Result>,
  ): Promise<Result> => {
    const shared = join(begun)
    shared.users += 1
    try {
      shared.connection ??= await shared.taken
      return await work(shared.connection)
    } finally {
      shared.users -= 1
      if (shared.users === 0) {
        if (latest === shared) latest = undefined
        if (shared.connection) pool.release(shared.connection)
      }
    }
  }
}
