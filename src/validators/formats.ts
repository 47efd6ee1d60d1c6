import { fullFormats } from 'ajv-formats/dist/formats.js'

// The formats of ajv-formats take most of the time that a large answer needs. Each one here accepts
// the common spellings by a cheap test and leaves every other value to the full one, so that the
// verdicts are the same. `test/contract/formats.test.ts` holds them against each other.

type Check = (value: string) => boolean

function full(name: keyof typeof fullFormats): Check {
  const format: unknown = fullFormats[name]
  if (typeof format === 'function') return format as Check
  if (format instanceof RegExp) return (value) => format.test(value)
  const { validate } = format as { validate: Check | RegExp }
  return validate instanceof RegExp ? (value) => validate.test(value) : validate
}

const fullDate = full('date')
const fullDateTime = full('date-time')
const fullEmail = full('email')
const fullUri = full('uri')

const none = 100

/** Two digits from `index`, which the value reaches, or `none`: no NaN, whole numbers are quicker. */
function pair(value: string, index: number): number {
  const tens = value.charCodeAt(index) - 48
  const ones = value.charCodeAt(index + 1) - 48
  return tens >>> 0 < 10 && ones >>> 0 < 10 ? tens * 10 + ones : none
}

/** Whether `YYYY-MM-DD` stands at the start, with a day that every such month has. */
function startsWithDate(value: string): boolean {
  const day = pair(value, 8)
  const month = pair(value, 5)
  return (
    value.charCodeAt(4) === 45 &&
    value.charCodeAt(7) === 45 &&
    pair(value, 0) < none &&
    pair(value, 2) < none &&
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= 28
  )
}

/** A calendar date, as RFC 3339 `full-date`. */
export const date: Check = (value) =>
  (value.length === 10 && startsWithDate(value)) || fullDate(value)

/** A moment, as RFC 3339 `date-time`. */
export const dateTime: Check = (value) =>
  (value.length === 20 &&
    value.charCodeAt(10) === 84 &&
    value.charCodeAt(13) === 58 &&
    value.charCodeAt(16) === 58 &&
    value.charCodeAt(19) === 90 &&
    startsWithDate(value) &&
    pair(value, 11) <= 23 &&
    pair(value, 14) <= 59 &&
    pair(value, 17) <= 59) ||
  fullDateTime(value)

const plainUri = /^https?:\/\/[\w.-]+(?::\d+)?(?:\/[\w./-]*)?$/

/** An absolute URI, as RFC 3986. */
export const uri: Check = (value) => plainUri.test(value) || fullUri(value)

const plainEmail = /^[a-z0-9]+(?:[._-][a-z0-9]+)*@[a-z0-9]+(?:\.[a-z0-9]+)+$/

/** An e-mail address. */
export const email: Check = (value) => plainEmail.test(value) || fullEmail(value)

/** A whole number of 32 bits, with its sign. */
export const int32 = {
  type: 'number' as const,
  validate: (value: number): boolean => (value | 0) === value,
}

export const uuid: Check = full('uuid')
export const ipv4: Check = full('ipv4')
export const ipv6: Check = full('ipv6')
export const regex: Check = full('regex')
