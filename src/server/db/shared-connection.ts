import type { Connection } from './connection.ts'
import type { Pool } from './pool.ts'

/** A connection that several use at once: each of their statements is a transaction of its own. */
interface Shared {
  taken: Promise<Connection>
  /** The same, once it is there. */
  connection?: Connection
  since: number
  users: number
}

/** More would wait longer for each other than for another connection. */
const mostUsers = 32
/**
 * How long others may join. Later ones must not wait behind a statement that hangs, and a connection
 * that is never released would be missing to transactions.
 */
const joiningMs = 20

/**
 * Runs single statements on as few connections as possible. All that are sent in one turn of the event
 * loop go out in one packet, which the server reads at once.
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

  /** `begun` is the time since which it waits for a connection. */
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
