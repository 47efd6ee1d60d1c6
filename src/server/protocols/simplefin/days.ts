const formats = new Map<string, Intl.DateTimeFormat>()

const formatOf = (zone: string): Intl.DateTimeFormat => {
  const known = formats.get(zone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
  formats.set(zone, format)
  return format
}

const [earliest, latest] = ['1900-01-01', '2100-12-31'].map((day) => Date.parse(day) / 1000) as [
  number,
  number,
]

/**
 * Seconds since 1970, if that is a time that a bank can mean. Some servers write them as a text. 0
 * stands for a time that is not known.
 */
export function toTime(value: unknown): number | undefined {
  const isText = typeof value === 'string' && /^-?\d{1,12}$/.test(value)
  const seconds = isText ? Number(value) : value
  if (typeof seconds !== 'number' || seconds === 0) return undefined
  return seconds >= earliest && seconds <= latest ? seconds : undefined
}

/** The day of a time in seconds since 1970, where the institution is. */
export const toDay = (seconds: number, zone: string): string =>
  formatOf(zone).format(seconds * 1000)

const quarter = 900
const mostOffset = 60 * quarter

/** The first second of a day where the institution is. */
export function startOf(day: string, zone: string): number {
  const utc = Date.parse(`${day}T00:00:00Z`) / 1000
  // Offsets are whole quarters of an hour, and days begin in their order.
  let [before, from] = [utc - mostOffset, utc + mostOffset]
  while (from - before > quarter) {
    const middle = before + Math.floor((from - before) / quarter / 2) * quarter
    if (toDay(middle, zone) < day) before = middle
    else from = middle
  }
  return from
}
