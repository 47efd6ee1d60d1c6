import { errorCatalogue } from '../../generated/errors.ts'
import { ApiError } from '../server/kernel/errors.ts'
import { findKey } from '../server/pipeline/check-fields.ts'
import type { ExamplesByStatus } from './choose-example.ts'

/** What a caller of the mock asked for in the `Prefer` header (RFC 7240). */
export interface Preferences {
  /** The status of the response; `default` for an error that stands under no status of its own. */
  code: string
  /** The name of the response's example; undefined where the caller named none. */
  example: string | undefined
  /** Milliseconds to wait before answering. */
  delay: number
  /** The names that the header had, for `Preference-Applied`. */
  asked: readonly string[]
}

const maximumDelay = 60_000
const known = ['code', 'example', 'delay']

/** Reads `Prefer: code=400, example=INVALID_FIELD, delay=500`; a bare error code is enough. */
export function readPreferences(
  header: string | undefined,
  examples: ExamplesByStatus,
): Preferences {
  const preferences = parse(header ?? '')
  const asked = Object.keys(preferences)
  const unknown = asked.find((name) => !known.includes(name))
  if (unknown !== undefined) reject(`knows only ${known.map((name) => `\`${name}\``).join(', ')}`)
  const delay = Number(preferences['delay'] ?? 0)
  if (!Number.isInteger(delay) || delay < 0 || delay > maximumDelay) {
    reject(`\`delay\` must be milliseconds from 0 to ${maximumDelay}`)
  }
  const { code, example } = preferences
  return { ...findExample(code, example, examples), delay, asked }
}

/** The value of `Preference-Applied`: what the response has of what was asked for. */
export function preferenceApplied(
  { asked, delay }: Preferences,
  code: number,
  example: string,
): Record<string, string> {
  if (asked.length === 0) return {}
  const applied: Readonly<Record<string, unknown>> = { code, example, delay }
  const values = asked.map((name) => `${name}=${applied[name]}`)
  return { 'Preference-Applied': values.join(', ') }
}

function parse(header: string): Readonly<Record<string, string>> {
  const preferences = header.split(/[,;]/).map((preference) => preference.trim())
  return Object.fromEntries(
    preferences.filter(Boolean).map((preference) => {
      const [name = '', value = ''] = preference.split('=')
      return [name.trim().toLowerCase(), value.trim().replace(/^"(.*)"$/, '$1')]
    }),
  )
}

function findExample(
  code: string | undefined,
  name: string | undefined,
  examples: ExamplesByStatus,
): Pick<Preferences, 'code' | 'example'> {
  const statuses = Object.keys(examples).filter((status) => status !== 'default')
  if (code !== undefined && !statuses.includes(code)) {
    reject(`\`code\` must be one of: ${statuses.join(', ')}`)
  }
  const codes = code === undefined ? [...statuses, 'default'] : [code]
  if (name === undefined) return { code: code ?? '200', example: undefined }
  for (const candidate of codes) {
    const names = Object.keys(examples[candidate] ?? {})
    const key = names.includes(name) ? name : findKey(names.filter(isError), name)
    if (key) return { code: candidate, example: key }
  }
  const named = codes.flatMap((candidate) => Object.keys(examples[candidate] ?? {}))
  return reject(`\`example\` must be one of: ${named.join(', ')}`)
}

const isError = (name: string): boolean => Object.hasOwn(errorCatalogue, name)

function reject(expected: string): never {
  throw new ApiError('INVALID_HEADERS', { message: `the header \`Prefer\`: ${expected}` })
}
