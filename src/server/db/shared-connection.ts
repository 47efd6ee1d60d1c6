import type { Connection } from './connection.ts'
import type { Pool } from './pool.ts'

/**
 * A connection that several callers use at once. Each of their statements is a separate
 * transaction.
 */
interface Shared {
  taken: Promise<Connection>
  /** Resolves with the connection once it is open. */
  connection?: Connection
  since: number
  users: number
}

/** With more callers the wait would be longer than for another connection. */
const mostUsers = 32
/**
 * How long others may join. Later ones must not wait behind a statement that hangs. A connection
 * that is never released would not be available for transactions.
 */
const joiningMs = 20

/**
 * Runs single statements on as few connections as possible. All statements of one turn of the event
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

  /** `begun` is when the wait for a connection started. */
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
