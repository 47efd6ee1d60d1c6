import type { SandboxTransactionsOptionsInput } from '../../../../generated/sandbox/closed.ts'
import { invalidField } from '../../kernel/errors.ts'
import { addDays, dayMs, toDate } from '../../kernel/time.ts'

/** The period of the initial transactions of a new Item. Both days are included. */
export interface History {
  from: string
  to: string
  /** Whether it ends before today, so the data does not evolve. */
  isOver: boolean
  /** The days of history that the Item is initialized with. */
  daysRequested: number
}

const mostDays = 730

/** History before 1970 would have negative day numbers. */
const firstEnd = '1972-01-01'

export function toHistory(
  options: SandboxTransactionsOptionsInput | null | undefined,
  now: string,
): History {
  const { start_date, end_date, days_requested } = options ?? {}
  const today = toDate(now)
  if (start_date && start_date > (end_date ?? today)) {
    throw invalidField('`options.transactions.start_date` must not be after `end_date` or today')
  }
  if (end_date && end_date < firstEnd) {
    throw invalidField(`\`options.transactions.end_date\` must not be before ${firstEnd}`)
  }
  const to = end_date && end_date < today ? end_date : today
  const earliest = addDays(to, 1 - mostDays)
  return {
    // Items have at most this many days of history.
    from: start_date && start_date > earliest ? start_date : earliest,
    to,
    isOver: to < today,
    daysRequested: days_requested ?? mostDays,
  }
}

/** How many days a history has. */
export const daysOf = ({ from, to }: History): number =>
  (Date.parse(to) - Date.parse(from)) / dayMs + 1
