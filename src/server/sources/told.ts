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
  /** The days of which files tell bookings or balances; undefined where it is not known. */
  days: readonly Days[] | undefined
}

export function toTold(row: SourceAccountRow | undefined): Told {
  // Rows of an earlier version, of which nobody noted the days.
  const isOld = (row?.forms ?? 0) !== 0 && row?.told === null
  return {
    forms: row?.forms ?? 0,
    booked: JSON.parse(row?.booked ?? '[]'),
    days: isOld ? undefined : JSON.parse(row?.told ?? '[]'),
  }
}

/** Adds what a statement tells. Returns the days that have changed. */
export async function addTold(
  ctx: Context,
  origin: Origin,
  told: Told,
  statement: SourceStatement,
  today: string,
): Promise<Days[]> {
  const forms = told.forms | statement.forms
  // A source that is asked for days leaves out none: a gap is days that were not asked for.
  const apart = statement.isLive ? 0 : daysWithout
  const booked = join([...told.booked, ...bookedBy(statement, today)], apart)
  const days = told.days && join([...told.days, ...daysOf(statement)], apart)
  await putTold(ctx, origin, {
    forms,
    booked: JSON.stringify(booked),
    told: days ? JSON.stringify(days) : null,
  })
  return booked.filter(
    (one) => !told.booked.some(({ from, to }) => from === one.from && to === one.to),
  )
}

/** The days of which a statement tells all bookings. A day to come has none yet. */
function bookedBy(statement: SourceStatement, today: string): Days[] {
  const { isIntraday, period, balances, overlapDays = 0 } = statement
  if (isIntraday) return []
  const from = period.from ?? balances.find(({ type }) => type === 'opening')?.date
  const to = period.to ?? balances.findLast(({ type }) => type === 'closing')?.date
  if (from === undefined || to === undefined || from > to) return []
  return [{ from: addDays(from, overlapDays), to: to < today ? to : today }]
}

/** The days that a statement tells of: without a period, those from its first booking to its last. */
function daysOf({ days: { from, to }, balances }: SourceStatement): Days[] {
  const closings = balances.filter(({ type }) => type === 'closing')
  const ofBalances = closings.map(({ date }) => ({ from: date, to: date }))
  return from === '' || from > to ? ofBalances : [{ from, to }, ...ofBalances]
}

/** Banks make no statements of weekends and holidays. */
const daysWithout = 4

/** One range for those that meet, or are so many days apart. */
function join(all: readonly Days[], apart: number): Days[] {
  const joined: Days[] = []
  for (const days of all.toSorted((one, other) => one.from.localeCompare(other.from))) {
    const last = joined.at(-1)
    if (!last || days.from > addDays(last.to, apart + 1)) joined.push({ ...days })
    else if (days.to > last.to) last.to = days.to
  }
  return joined
}
