/** A day as a number, counted from 1970-01-01, for fast comparison and arithmetic. */
export type Day = number

/** A month, counted from January of the year 0. */
export type Month = number

const millisecondsOfDay = 86_400_000

export const toDay = (date: string): Day => Date.parse(`${date}T00:00:00Z`) / millisecondsOfDay

const written = new Map<Day, string>()
// Cached for some decades: histories use the same days many times.
const mostWritten = 20_000

/** The date of a day. */
export function toDate(day: Day): string {
  const known = written.get(day)
  if (known !== undefined) return known
  const date = new Date(day * millisecondsOfDay).toISOString().slice(0, 10)
  if (written.size >= mostWritten) written.clear()
  written.set(day, date)
  return date
}

export function monthOf(day: Day): Month {
  const date = new Date(day * millisecondsOfDay)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

export const yearOf = (day: Day): number => Math.floor(monthOf(day) / 12)

export const monthIn = (year: number, month: number): Month => year * 12 + month - 1

/** The month within its year, from 1 to 12. */
export const monthNumber = (month: Month): number => (month % 12) + 1

export const dayIn = (month: Month, dayOfMonth: number): Day =>
  Date.UTC(Math.floor(month / 12), month % 12, dayOfMonth) / millisecondsOfDay

export const firstDay = (month: Month): Day => dayIn(month, 1)
export const lastDay = (month: Month): Day => dayIn(month + 1, 0)

/** From 0 for Sunday to 6 for Saturday. */
export const weekday = (day: Day): number => (((day + 4) % 7) + 7) % 7

export const isWeekend = (day: Day): boolean => weekday(day) % 6 === 0

/** The two bank holidays that all simulated countries share. */
const isHoliday = (day: Day): boolean => /-(01-01|12-25)$/.test(toDate(day))

const isBusinessDay = (day: Day): boolean => !isWeekend(day) && !isHoliday(day)

/** That day, or the next business day. */
export const businessDayFrom = (day: Day): Day =>
  isBusinessDay(day) ? day : businessDayFrom(day + 1)

/** That day, or the last business day before it. */
export const businessDayUntil = (day: Day): Day =>
  isBusinessDay(day) ? day : businessDayUntil(day - 1)

/** That day, or the Monday after a weekend. Card networks have no holidays. */
export const weekdayFrom = (day: Day): Day => (isWeekend(day) ? weekdayFrom(day + 1) : day)
