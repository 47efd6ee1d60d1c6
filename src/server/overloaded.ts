import { ApiError } from './errors.ts'

const longestRetryAfter = 30

/** A refusal of what the service could only answer later than is any good. */
export class Overloaded extends ApiError {
  /** `waitMs` is how long it would have taken until its turn. */
  constructor(waitMs: number) {
    const message = 'the service gets more requests than it can answer; nothing was done'
    const retryAfter = Math.min(longestRetryAfter, Math.max(1, Math.ceil(waitMs / 1000)))
    super('PLANNED_MAINTENANCE', { message, retryAfter })
  }
}
