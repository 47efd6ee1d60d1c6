import { ApiError } from '../kernel/errors.ts'

const longestRetryAfter = 30

/** Ends the message of a 503: no part of the request was carried out. */
export const tryAgain = 'nothing was done, so try again after `Retry-After` seconds'

/** The error of a request whose response would be too late. */
export class Overloaded extends ApiError {
  /** Fastify assigns its own status code to a body error that has none. */
  readonly statusCode = this.status

  /** `waitMs` is how long the request would have waited. */
  static after(waitMs: number): Overloaded {
    const seconds = Math.min(longestRetryAfter, Math.max(1, Math.ceil(waitMs / 1000)))
    // Recording the stack takes a fifth of the time of such a response.
    errors[seconds] ??= new Overloaded(seconds)
    return errors[seconds]
  }

  private constructor(retryAfter: number) {
    const message = `the service gets more requests than it can answer; ${tryAgain}`
    super('PLANNED_MAINTENANCE', { message, retryAfter })
  }
}

/** One error for each value of Retry-After, in seconds. */
const errors: Overloaded[] = []
