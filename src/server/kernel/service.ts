import type { ErrorKey } from '../../../generated/errors.ts'
import type { ClockGuard } from './clock-guard.ts'
import type { Settings } from './context.ts'
import type { Database } from './database.ts'
import type { Bytes } from './ids.ts'
import type { Keys } from './keys.ts'
import type { Log } from './log.ts'
import type { Telemetry } from './telemetry.ts'

/** The running service: what everything in it shares. */
export interface Service {
  database: Database
  keys: Keys
  settings: Settings
  /** The real time in ms. */
  clock(): number
  /** Where the bytes of new ids come from: chance, unless a test repeats a run. */
  bytes?: Bytes | undefined
  /** Whether the clock can be trusted. */
  clockGuard: ClockGuard
  publicUrl(): string
  /** Where the docs are, without a slash at the end; undefined where there are none. */
  docsUrl(): string | undefined
  /** What is kept in memory while the service runs; `create` makes it when it is first asked for. */
  singleton<Kept>(create: () => Kept): Kept
  runner: Runner
  /** Which targets webhooks may have, and how they are reached. */
  fetch: typeof fetch
  log: Log
  telemetry: Telemetry
}

/** Does what has become due: jobs in transactions of their own, and deliveries beside them. */
export interface Runner {
  /** Looks soon whether something is due, and at once at endpoints that have something new. */
  wake(urls?: Iterable<string>): void
  /** Does everything that is due for one client, each delivery at most once, before it resolves. */
  runDue(clientId: string): Promise<void>
  /** Does everything that is due for all clients, each delivery at most once, before it resolves. */
  finish(): Promise<void>
  /**
   * Reads an Item from its source if that is due, or waits for another process that does; at most 30
   * seconds. Returns the key of the error that the read ended with; undefined for none.
   */
  pull(clientId: string, itemId: string): Promise<ErrorKey | undefined>
  /**
   * Stops, once what has begun is done; deliveries that take longer than the grace in ms are left
   * for the next start.
   */
  stop(graceMs?: number): Promise<void>
  /** Leaves what calls still wait for, too: nobody will hear of it. */
  abandon(): void
}

/** Runs nothing. */
export const noRunner: Runner = {
  wake: () => {},
  runDue: async () => {},
  finish: async () => {},
  pull: async () => undefined,
  stop: async () => {},
  abandon: () => {},
}
