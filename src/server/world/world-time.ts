import { addDays, toTimestamp } from '../time.ts'
import { isBusinessDay } from '../transfers/business-days.ts'

const relative = /^([+-]?\d+) (business )?days?(?: (\d\d:\d\d(?::\d\d)?))?$/

/** The date of a file of the world, whose relative ones count from the anchor. */
export function toWorldDate(anchor: string, text: string): string {
  const [, count, business] = text.match(relative) ?? []
  if (count === undefined) return text
  return business ? addBusinessDays(anchor, Number(count)) : addDays(anchor, Number(count))
}

/** The moment of a file of the world; one without a time of day is at midnight. */
export function toWorldTime(anchor: string, text: string): string {
  const [, count, , time = '00:00'] = text.match(relative) ?? []
  if (count === undefined) return text
  return toTimestamp(Date.parse(`${toWorldDate(anchor, text)}T${time}Z`))
}

/** Counts only days on which banks work; with 0 the first one that is not before. */
function addBusinessDays(date: string, count: number): string {
  const step = count < 0 ? -1 : 1
  let day = date
  let left = Math.abs(count)
  while (left > 0) {
    day = addDays(day, step)
    if (isBusinessDay(day)) left -= 1
  }
  return isBusinessDay(day) ? day : addBusinessDays(day, 1)
}
