import { plainFields } from '../../../generated/plain-fields.ts'

/** What stands in place of a value. */
export const masked = '(masked)'

/** Of persons all the same, though the contract has a list of their values. */
const personal = ['gender', 'eye_color', 'hair_color', 'height']
/** Texts of the service that never repeat a value. */
const told = ['error_code', 'error_message', 'suggested_action', 'documentation_url']
const shown = new Set([...plainFields, ...told].filter((name) => !personal.includes(name)))

/** An id is made by the service, but for the one that clients choose: some take an e-mail address. */
export const isOwnId = (name: string): boolean =>
  /^id$|_id$/.test(name) && name !== 'client_user_id'

const isShown = (name: string): boolean => shown.has(name) || isOwnId(name)

/**
 * A JSON body as production stores it: only fields that the contract describes as plain keep their
 * values, and those that `also` has. All others are masked, also those that nobody has described. Null
 * for what is no JSON.
 */
export function maskBody(text: string, also: ReadonlySet<string> = none): string | null {
  try {
    return JSON.stringify(maskValue(JSON.parse(text), false, also))
  } catch {
    return null
  }
}

const none: ReadonlySet<string> = new Set()

function maskValue(value: unknown, isPlain: boolean, also: ReadonlySet<string>): unknown {
  if (value === null || typeof value === 'boolean') return value
  if (Array.isArray(value)) return value.map((one) => maskValue(one, isPlain, also))
  if (typeof value === 'object') {
    const fields = Object.entries(value).map(([name, inner]) => [
      isName(name) ? name : masked,
      maskValue(inner, isShown(name) || also.has(name), also),
    ])
    return Object.fromEntries(fields)
  }
  return isPlain || isTime(value) ? value : masked
}

/** A key may be free text, too: what is no name of a field is masked. */
const isName = (name: string): boolean => /^[a-z][a-z0-9_]{0,63}$/i.test(name)

const isTime = (value: unknown): boolean =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value)
