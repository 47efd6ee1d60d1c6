import type { Directories } from '../institutions/directories.ts'
import type { FairShares } from '../pipeline/fair-shares.ts'
import type { GuessLimits } from '../pipeline/guess-limits.ts'
import type { AnswerCheck } from '../pipeline/pipeline.ts'
import type { RateLimits } from '../pipeline/rate-limits.ts'
import type { Runner } from '../worker/runner.ts'
import type { ClockGuard } from './clock-guard.ts'
import type { Settings } from './context.ts'
import type { Database } from './database.ts'
import type { Keys } from './keys.ts'
import type { Telemetry } from './telemetry.ts'

/** The running service: what everything in it shares. */
export interface Service {
  database: Database
  keys: Keys
  institutions: Directories
  settings: Settings
  /** The real time in ms. */
  clock(): number
  /** Whether that can be believed. */
  clockGuard: ClockGuard
  publicUrl(): string
  /** Where the docs are, without a slash at the end; undefined where there are none. */
  docsUrl(): string | undefined
  runner: Runner
  rateLimits: RateLimits
  guessLimits: GuessLimits
  fairShares: FairShares
  /** Which targets webhooks may have, and how they are reached. */
  fetch: typeof fetch
  /** Checks each answer against the contract; set in tests and development. */
  checkAnswer: AnswerCheck | undefined
  log: Log
  telemetry: Telemetry
}

/** The part of a logger that is used here. */
export interface Log {
  info(details: object, message: string): void
  error(error: unknown, message: string): void
}
