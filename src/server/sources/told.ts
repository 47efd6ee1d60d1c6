import type { Context } from '../kernel/context.ts'
import { addDays } from '../kernel/time.ts'
import type { SourceStatement } from './source-file.ts'
import { type Origin, putTold, type SourceAccountRow } from './store.ts'

/** What sources have told of an account. */
export interface Told {
  /** The forms of its rows. */
  forms: number
  /** The days of which statements have told all bookings; null where none has. */
  booked: { from: string; to: string } | null
}

export function toTold(row: SourceAccountRow | undefined): Told {
  const { forms = 0, booked_from: from = null, booked_to: to = null } = row ?? {}
  return { forms, booked: from === null || to === null ? null : { from, to } }
}

/** Adds what a statement tells. */
export async function addTold(
  ctx: Context,
  origin: Origin,
  told: Told,
  statement: SourceStatement,
  today: string,
): Promise<Told> {
  const booked = join(told.booked, bookedBy(statement, today))
  const forms = told.forms | statement.forms
  const row = { forms, booked_from: booked?.from ?? null, booked_to: booked?.to ?? null }
  await putTold(ctx, origin, row)
  return { forms, booked }
}

/** The days of which a statement tells all bookings. A day to come has none yet. */
function bookedBy(statement: SourceStatement, today: string): Told['booked'] {
  const { isIntraday, period, balances } = statement
  if (isIntraday) return null
  const from = period.from ?? balances.find(({ type }) => type === 'opening')?.date
  const to = period.to ?? balances.findLast(({ type }) => type === 'closing')?.date
  if (from === undefined || to === undefined || from > to) return null
  return { from, to: to < today ? to : today }
}

/** Banks make no statements of weekends and holidays. */
const daysWithout = 4

/** One range for two that meet; otherwise the later one. */
function join(one: Told['booked'], other: Told['booked']): Told['booked'] {
  if (!one || !other) return one ?? other
  const [first, last] = one.from <= other.from ? [one, other] : [other, one]
  if (last.from > addDays(first.to, daysWithout + 1)) return last
  return { from: first.from, to: first.to > last.to ? first.to : last.to }
}
