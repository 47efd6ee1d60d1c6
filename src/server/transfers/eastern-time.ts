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

// Created on first use, since it takes longer than the rest of a start.
let format: Intl.DateTimeFormat | undefined

/** The local time of New York at a given time, such as `2026-03-09T11:20:00`. */
export function toEastern(ms: number): string {
  format ??= new Intl.DateTimeFormat('en-US', options)
  const parts = format.formatToParts(ms).map(({ type, value }) => [type, value])
  const { year, month, day, hour, minute, second } = Object.fromEntries(parts)
  return `${year}-${month}-${day}T${hour}:${minute}:${second}`
}

/** The date in New York, which banks use. */
export const toEasternDate = (timestamp: string): string =>
  toEastern(Date.parse(timestamp)).slice(0, 10)

/** The time of a local time in New York. Not valid for the hours around a clock change at 2 AM. */
export function fromEastern(local: string): number {
  const asUtc = Date.parse(`${local}Z`)
  return asUtc - (Date.parse(`${toEastern(asUtc)}Z`) - asUtc)
}
