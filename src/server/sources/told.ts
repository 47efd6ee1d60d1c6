import type { Context } from '../kernel/context.ts'
import { addDays } from '../kernel/time.ts'
import type { SourceStatement } from './source-file.ts'
import { type Origin, putTold, type SourceAccountRow } from './store.ts'

export interface Days {
  from: string
  to: string
}

/** What sources have told of an account. */
export interface Told {
  /** The forms of its rows. */
  forms: number
  /** The days of which statements have told all bookings, the earliest first. */
  booked: readonly Days[]
}

export const toTold = (row: SourceAccountRow | undefined): Told => ({
  forms: row?.forms ?? 0,
  booked: JSON.parse(row?.booked ?? '[]'),
})

/** Adds what a statement tells. Returns the days that have changed. */
export async function addTold(
  ctx: Context,
  origin: Origin,
  told: Told,
  statement: SourceStatement,
  today: string,
): Promise<Days[]> {
  const forms = told.forms | statement.forms
  const booked = join([...told.booked, ...bookedBy(statement, today)])
  await putTold(ctx, origin, { forms, booked: JSON.stringify(booked) })
  return booked.filter(
    (one) => !told.booked.some(({ from, to }) => from === one.from && to === one.to),
  )
}

/** The days of which a statement tells all bookings. A day to come has none yet. */
function bookedBy(statement: SourceStatement, today: string): Days[] {
  const { isIntraday, period, balances } = statement
  if (isIntraday) return []
  const from = period.from ?? balances.find(({ type }) => type === 'opening')?.date
  const to = period.to ?? balances.findLast(({ type }) => type === 'closing')?.date
  if (from === undefined || to === undefined || from > to) return []
  return [{ from, to: to < today ? to : today }]
}

/** Banks make no statements of weekends and holidays. */
const daysWithout = 4

/** One range for those that meet. */
function join(all: readonly Days[]): Days[] {
  const joined: Days[] = []
  for (const days of all.toSorted((one, other) => one.from.localeCompare(other.from))) {
    const last = joined.at(-1)
    if (!last || days.from > addDays(last.to, daysWithout + 1)) joined.push({ ...days })
    else if (days.to > last.to) last.to = days.to
  }
  return joined
}
