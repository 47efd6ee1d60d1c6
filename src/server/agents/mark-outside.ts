import { redact } from '../kernel/redact.ts'
import { isOwnId } from '../pipeline/mask-body.ts'

/** An answer as an agent gets it, and the places of its texts that come from outside. */
export interface Marked {
  answer: unknown
  places: string[]
}

/** Texts of the service, though the contract has no list of their values. */
const own = new Set([
  'action',
  'connector',
  'consented_products',
  'currency',
  'error_code',
  'meaning',
  'next_cursor',
  'path',
  'products',
  'subtype',
  'type',
  'update_type',
  'version',
  'webhook_code',
  'webhook_type',
])
/** JSON whose values have been looked through one by one. */
const bodies = ['request_body', 'response_body']
const mostText = 20_000

/**
 * Finds the texts that somebody else has written, and takes what has the form of a secret out of them.
 * Every text counts as one of these, but for those that the contract describes as plain.
 */
export function markOutside(answer: unknown, plain: readonly string[]): Marked {
  const places: string[] = []
  const isOwn = (name: string) => own.has(name) || isOwnId(name) || plain.includes(name)
  const visit = (value: unknown, name: string, place: string): unknown => {
    if (Array.isArray(value)) return value.map((one, at) => visit(one, name, `${place}/${at}`))
    if (typeof value === 'object' && value !== null) {
      const fields = Object.entries(value)
      return Object.fromEntries(
        fields.map(([key, inner]) => [key, visit(inner, key, `${place}/${escaped(key)}`)]),
      )
    }
    if (typeof value !== 'string' || isOwn(name)) return value
    places.push(place)
    return bounded(bodies.includes(name) ? value : hideNumbers(redact(value)))
  }
  return { answer: visit(answer, '', ''), places }
}

/** Eight digits or more, however they are parted: numbers of accounts, cards and phones. */
const longNumber = /\p{Nd}(?:[ .\-/]?\p{Nd}){7,}/gu
const dateOrAddress = /^(?:\d{4}-\d\d-\d\d(?: \d\d)?|\d{1,3}(?:\.\d{1,3}){3})$/

/** People write such numbers in all forms, and no question of an agent needs one. */
export const hideNumbers = (text: string): string =>
  text.replaceAll(longNumber, (number) => (dateOrAddress.test(number) ? number : '[redacted]'))

/** As RFC 6901 writes a name in a pointer. */
const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')

const bounded = (text: string): string =>
  text.length > mostText
    ? `${text.slice(0, mostText)}… (${text.length - mostText} more characters)`
    : text
