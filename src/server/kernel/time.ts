let latest = { second: Number.NaN, text: '' }

/** A moment as the interface writes it: UTC, to the second. */
export function toTimestamp(ms: number): string {
  const second = Math.floor(ms / 1000)
  // Most are of the present second.
  if (second !== latest.second) {
    latest = { second, text: `${new Date(ms).toISOString().slice(0, 19)}Z` }
  }
  return latest.text
}

const [earliestMs, latestMs] = [
  Date.parse('0000-01-01T00:00:00Z'),
  Date.parse('9999-12-31T23:59:59Z'),
]

/**
 * The moment of a date-time that the contract admits, in ms. `Date.parse` knows neither leap seconds,
 * which are the second after them here, nor offsets of whole hours. What an offset moves out of the
 * years that can be written is moved back to their border.
 */
export function readTimestamp(text: string): number {
  const [, date, minute, second = '', zone = 'Z'] =
    /^(.{10})[T\s](.{5}):([\d.]+)(.*)$/i.exec(text) ?? []
  const [, sign, hours = '', minutes = ''] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? []
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -60_000 : 60_000)
  const local = Date.parse(`${date}T${minute}:00Z`) + Math.floor(Number(second) * 1000)
  return Math.min(Math.max(local - offset, earliestMs), latestMs)
}

/** The day of a timestamp. */
export const toDate = (timestamp: string): string => timestamp.slice(0, 10)

export const dayMs = 86_400_000

/** The date that many days later, or earlier if negative. */
export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10)

/** How many days one date is after another. */
export const countDays = (from: string, to: string): number =>
  (Date.parse(to) - Date.parse(from)) / dayMs
