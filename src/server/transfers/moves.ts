import { type ApiError, invalidField } from '../kernel/errors.ts'

/** The error for an event that cannot follow a status. */
export const wrongMove = (status: string, next: readonly string[]): ApiError =>
  next.length === 0
    ? invalidField(`\`event_type\` must be left alone: no event follows \`${status}\``)
    : invalidField(
        `\`event_type\` must be one of: ${next.join(', ')}, where the status is ${status}`,
      )
