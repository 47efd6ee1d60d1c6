import type { Service } from '../kernel/service.ts'
import type { FairShares } from './fair-shares.ts'
import type { GuessLimits } from './guess-limits.ts'
import type { TakeFault } from './injected-fault.ts'
import type { RateLimits } from './rate-limits.ts'

/** An operation, and the document that describes it. */
interface Described {
  operationId: string
  version: string
}

/** Returns the issues of a response; empty if it conforms to the contract. */
export type AnswerCheck = (described: Described, answer: object) => string[]

/** The service with the dependencies of its pipeline. */
export interface PipelineService extends Service {
  rateLimits: RateLimits
  guessLimits: GuessLimits
  fairShares: FairShares
  takeFault: TakeFault
  /** Checks each response against the contract. Set in tests and development. */
  checkAnswer: AnswerCheck | undefined
}
