import type { Service } from '../kernel/service.ts'
import type { CheckedRequest } from './check-request.ts'
import type { FairShares } from './fair-shares.ts'
import type { GuessLimits } from './guess-limits.ts'
import type { TakeFault } from './injected-fault.ts'
import type { RateLimits } from './rate-limits.ts'

/** What is wrong with an answer of ours; empty when it is as the contract says. */
export type AnswerCheck = (request: CheckedRequest, answer: object) => string[]

/** The service with what stands around its handlers. */
export interface PipelineService extends Service {
  rateLimits: RateLimits
  guessLimits: GuessLimits
  fairShares: FairShares
  takeFault: TakeFault
  /** Checks each answer against the contract; set in tests and development. */
  checkAnswer: AnswerCheck | undefined
}
