import {
  type Day,
  dayIn,
  firstDay,
  isWeekend,
  lastDay,
  type Month,
  monthIn,
  toDate,
  toDay,
  weekday,
  yearOf,
} from '../simulation/calendar.ts'

const [sunday, monday, thursday] = [0, 1, 4]

const nthWeekday = (month: Month, day: number, nth: number): Day => {
  const first = firstDay(month)
  return first + ((day - weekday(first) + 7) % 7) + (nth - 1) * 7
}

const lastMonday = (month: Month): Day => {
  const last = lastDay(month)
  return last - ((weekday(last) - monday + 7) % 7)
}

/**
 * The day on which the Federal Reserve observes a holiday with a fixed date. A Sunday holiday moves
 * to Monday. A Saturday holiday does not move: https://www.frbservices.org/about/holiday-schedules
 */
const observed = (day: Day): Day => (weekday(day) === sunday ? day + 1 : day)

const juneteenthSince = 2022

/** The days of a year on which the Federal Reserve is closed, besides weekends. */
function holidaysOf(year: number): Day[] {
  const month = (number: number): Month => monthIn(year, number)
  const fixed = [
    dayIn(month(1), 1),
    ...(year < juneteenthSince ? [] : [dayIn(month(6), 19)]),
    dayIn(month(7), 4),
    dayIn(month(11), 11),
    dayIn(month(12), 25),
  ]
  return [
    ...fixed.map(observed),
    nthWeekday(month(1), monday, 3),
    nthWeekday(month(2), monday, 3),
    lastMonday(month(5)),
    nthWeekday(month(9), monday, 1),
    nthWeekday(month(10), monday, 2),
    nthWeekday(month(11), thursday, 4),
  ]
}

const isBankingDay = (day: Day): boolean =>
  !isWeekend(day) && !holidaysOf(yearOf(day)).includes(day)

/** Whether payment networks that settle through the Federal Reserve are open on that date. */
export const isBusinessDay = (date: string): boolean => isBankingDay(toDay(date))

/** The date that many business days after the given date. */
export function addBusinessDays(date: string, count: number): string {
  let day = toDay(date)
  for (let left = count; left > 0; ) {
    day += 1
    if (isBankingDay(day)) left -= 1
  }
  return toDate(day)
}
