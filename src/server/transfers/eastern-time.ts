const options = {
  timeZone: 'America/New_York',
  hourCycle: 'h23',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
} as const

// Made when it is first needed: it takes longer than the rest of a start.
let format: Intl.DateTimeFormat | undefined

/** What the clocks of New York show at a moment, such as `2026-03-09T11:20:00`. */
export function toEastern(ms: number): string {
  format ??= new Intl.DateTimeFormat('en-US', options)
  const parts = format.formatToParts(ms).map(({ type, value }) => [type, value])
  const { year, month, day, hour, minute, second } = Object.fromEntries(parts)
  return `${year}-${month}-${day}T${hour}:${minute}:${second}`
}

/** The day in New York, by which banks reckon. */
export const toEasternDate = (timestamp: string): string =>
  toEastern(Date.parse(timestamp)).slice(0, 10)

/** The moment at which New York's clocks show that; not for the hours around a change at 2 AM. */
export function fromEastern(local: string): number {
  const asUtc = Date.parse(`${local}Z`)
  return asUtc - (Date.parse(`${toEastern(asUtc)}Z`) - asUtc)
}
