import { DatabaseBusy } from '../kernel/database.ts'
import type { Log } from '../kernel/log.ts'
import type { Ending } from './run-job.ts'

/** Clients whose next job waits in line with whatever else of them is under way. */
export interface BusyClients {
  has(clientId: string): boolean
  /** Lets the client's next job wait in line; where too many wait, a later look asks for it again. */
  add(clientId: string): void
  /** Resolves once none waits any more. */
  stop(): Promise<void>
}

interface Waiting {
  /** Runs one job of a client, after what came before it. */
  run(clientId: string): Promise<Ending>
  /** Is told after each, since the client may have more. */
  onEnd(): void
  log: Log
}

/** Each may occupy a connection while it waits for another process. */
const mostAtOnce = 4

/**
 * A client's calls may follow each other without a gap, so its jobs must stand in line with them.
 * They do so here, and beside the look for work: the jobs of other clients wait for none of it.
 */
export function createBusyClients({ run, onEnd, log }: Waiting): BusyClients {
  const waiting = new Map<string, Promise<void>>()

  async function wait(clientId: string): Promise<void> {
    let ending: Ending | undefined
    try {
      ending = await run(clientId)
    } catch (error) {
      // It has waited for half a minute, and waits anew.
      if (!(error instanceof DatabaseBusy)) log.error(error, 'background work failed')
    }
    waiting.delete(clientId)
    // Nobody knows when the row is free again: the next look asks.
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
