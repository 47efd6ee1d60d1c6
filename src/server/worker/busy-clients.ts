import { DatabaseBusy } from '../kernel/database.ts'
import type { Log } from '../kernel/log.ts'
import type { Ending } from './run-job.ts'

/** Clients whose next job waits for other work of the client. */
interface BusyClients {
  has(clientId: string): boolean
  /** Makes the client's next job wait. If too many clients wait, a later poll adds it again. */
  add(clientId: string): void
  /** Resolves once no client waits any more. */
  stop(): Promise<void>
}

interface Waiting {
  /** Runs one job of a client, after the client's earlier work. */
  run(clientId: string): Promise<Ending>
  /** Called after each job, since the client may have more. */
  onEnd(): void
  log: Log
}

/** Each may occupy a connection while it waits for another process. */
const mostAtOnce = 4

/**
 * A client's requests may follow each other without a gap, so its jobs must queue with them. They
 * wait here, apart from the poll loop, so that they do not delay the jobs of other clients.
 */
export function createBusyClients({ run, onEnd, log }: Waiting): BusyClients {
  const waiting = new Map<string, Promise<void>>()

  async function wait(clientId: string): Promise<void> {
    let ending: Ending | undefined
    try {
      ending = await run(clientId)
    } catch (error) {
      // It waited for half a minute. A later poll adds it again.
      if (!(error instanceof DatabaseBusy)) log.error(error, 'background work failed')
    }
    waiting.delete(clientId)
    // There is no signal when the row becomes free, so the next poll checks again.
    if (ending !== 'elsewhere') onEnd()
  }

  return {
    has: (clientId) => waiting.has(clientId),
    add(clientId) {
      if (waiting.size < mostAtOnce) waiting.set(clientId, wait(clientId))
    },
    async stop() {
      while (waiting.size > 0) await Promise.all(waiting.values())
    },
  }
}
