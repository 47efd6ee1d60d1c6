import { ApiError } from '../kernel/errors.ts'

const longestRetryAfter = 30

/** A refusal of what the service could only answer later than is any good. */
export class Overloaded extends ApiError {
  /** Fastify gives an error of a body one of its own, where it has none. */
  readonly statusCode = this.status

  /** `waitMs` is how long it would have taken until its turn. */
  static after(waitMs: number): Overloaded {
    const seconds = Math.min(longestRetryAfter, Math.max(1, Math.ceil(waitMs / 1000)))
    // To note where an error comes from takes a fifth of what a refusal costs.
    refusals[seconds] ??= new Overloaded(seconds)
    return refusals[seconds]
  }

  private constructor(retryAfter: number) {
    const message = 'the service gets more requests than it can answer; nothing was done'
    super('PLANNED_MAINTENANCE', { message, retryAfter })
  }
}

/** One for each time to wait, in seconds. */
const refusals: Overloaded[] = []
