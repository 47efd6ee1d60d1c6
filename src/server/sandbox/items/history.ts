import type { SandboxTransactionsOptionsInput } from '../../../../generated/sandbox/types.ts'
import { ApiError } from '../../kernel/errors.ts'
import { addDays, dayMs, toDate } from '../../kernel/time.ts'

/** Which transactions a new Item starts with; both days are included. */
export interface History {
  from: string
  to: string
  /** Whether it ends before today and so stays as it is. */
  isOver: boolean
  /** What the Item is set up with. */
  daysRequested: number
}

const mostDays = 730

/** Nobody's story is told from before 1970, where days would be counted below zero. */
const firstEnd = '1972-01-01'

export function toHistory(
  options: SandboxTransactionsOptionsInput | null | undefined,
  now: string,
): History {
  const { start_date, end_date, days_requested } = options ?? {}
  const today = toDate(now)
  if (start_date && start_date > (end_date ?? today)) {
    const message = '`options.transactions.start_date` must not be after `end_date` or today'
    throw new ApiError('INVALID_FIELD', { message })
  }
  if (end_date && end_date < firstEnd) {
    const message = `\`options.transactions.end_date\` must not be before ${firstEnd}`
    throw new ApiError('INVALID_FIELD', { message })
  }
  const to = end_date && end_date < today ? end_date : today
  const earliest = addDays(to, 1 - mostDays)
  return {
    // No Item is set up with more days than that.
    from: start_date && start_date > earliest ? start_date : earliest,
    to,
    isOver: to < today,
    daysRequested: days_requested ?? mostDays,
  }
}

/** How many days a history has. */
export const daysOf = ({ from, to }: History): number =>
  (Date.parse(to) - Date.parse(from)) / dayMs + 1
