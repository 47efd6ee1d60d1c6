import { errorCatalogue } from '../../generated/errors.ts'
import { ApiError } from '../server/kernel/errors.ts'
import { findKey } from '../server/pipeline/check-fields.ts'

/** What a caller of the mock can ask for in the `Prefer` header (RFC 7240). */
export interface Preferences {
  /** The HTTP status of the answer. */
  code: string
  /** The name of the answer's example. */
  example?: string
  /** Milliseconds to wait before answering. */
  delay: number
}

const maximumDelay = 60_000

/** The named examples of an operation, by status. */
export type ExampleNames = Readonly<Record<string, readonly string[]>>

/** Reads `Prefer: code=400, example=INVALID_FIELD, delay=500`; a bare error code is enough. */
export function readPreferences(header: string | undefined, examples: ExampleNames): Preferences {
  const wishes = Object.fromEntries(
    (header ?? '').split(/[,;]/).map((wish) => {
      const [name = '', value = ''] = wish.split('=')
      return [name.trim().toLowerCase(), value.trim().replace(/^"(.*)"$/, '$1')]
    }),
  )
  const delay = Number(wishes['delay'] ?? 0)
  if (!Number.isInteger(delay) || delay < 0 || delay > maximumDelay) {
    refuse(`\`delay\` must be milliseconds from 0 to ${maximumDelay}`)
  }
  return { ...chooseExample(wishes['code'], wishes['example'], examples), delay }
}

function chooseExample(
  code: string | undefined,
  name: string | undefined,
  examples: ExampleNames,
): Pick<Preferences, 'code' | 'example'> {
  const statuses = Object.keys(examples).filter((status) => status !== 'default')
  if (code !== undefined && !statuses.includes(code)) {
    refuse(`\`code\` must be one of: ${statuses.join(', ')}`)
  }
  const codes = code === undefined ? [...statuses, 'default'] : [code]
  if (name === undefined) {
    const [first] = examples[code ?? '200'] ?? []
    return { code: code ?? '200', ...(first ? { example: first } : {}) }
  }
  for (const candidate of codes) {
    const names = examples[candidate] ?? []
    const key = names.includes(name) ? name : findKey(names.filter(isError), name)
    if (key) return { code: candidate, example: key }
  }
  const known = codes.flatMap((candidate) => examples[candidate] ?? [])
  return refuse(`\`example\` must be one of: ${known.join(', ')}`)
}

const isError = (name: string): boolean => Object.hasOwn(errorCatalogue, name)

function refuse(expected: string): never {
  throw new ApiError('INVALID_HEADERS', { message: `the header \`Prefer\`: ${expected}` })
}
