const units: [Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'always', style: 'short' })
const dayFormat = new Intl.DateTimeFormat('en', { dateStyle: 'medium' })
const plainDay = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' })
const exactFormat = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'long' })
const dayAndTime = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' })
const wholeNumber = new Intl.NumberFormat('en')

/** A moment as seen from another one: "3 min. ago", or the day where that is long ago. */
export function ago(at: string, now: number): string {
  const seconds = Math.round((Date.parse(at) - now) / 1000)
  const size = Math.abs(seconds)
  if (size < 10) return seconds > 5 ? 'in a moment' : 'just now'
  if (size < 45) return relative.format(Math.round(seconds / 10) * 10, 'second')
  if (size > 7 * 86_400) return dayFormat.format(new Date(at))
  const [unit, length] = units.find(([, one]) => size >= one * 0.75) ?? ['minute', 60]
  return relative.format(Math.round(seconds / length), unit)
}

export const exactTime = (at: string): string => exactFormat.format(new Date(at))
/** A date without a time, which is the same day everywhere. */
export const dayOf = (date: string): string => plainDay.format(new Date(`${date}T00:00:00Z`))
export const timeOf = (at: string): string => dayAndTime.format(new Date(at))

/**
 * What a user chose in a field for a day and a time. Such a field has no time zone: its value is read
 * in that of the browser.
 */
export const momentOf = (local: string): string | undefined =>
  Number.isNaN(Date.parse(local)) ? undefined : new Date(local).toISOString()

export const count = (value: number): string => wholeNumber.format(value)

/** A number with its noun, in the plural where that is right. */
export const counted = (value: number, noun: string): string =>
  `${count(value)} ${value === 1 ? noun : pluralOf(noun)}`

const pluralOf = (noun: string): string =>
  /[^aeiou]y$/.test(noun) ? noun.replace(/y$/, 'ies') : `${noun}s`

/** A duration in whole milliseconds, as the service measures it. */
export function duration(ms: number): string {
  if (ms < 1) return '< 1 ms'
  return ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(2)} s`
}

export const percent = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${((100 * part) / whole).toFixed(part === 0 ? 0 : 1)} %`

/** An amount, in its currency where it is known. */
export function money(amount: number | null, currency: string | null): string {
  if (amount === null) return '–'
  if (currency === null) return wholeNumber.format(amount)
  return new Intl.NumberFormat('en', { style: 'currency', currency }).format(amount)
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
