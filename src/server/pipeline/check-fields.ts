import { type ErrorKey, errorCatalogue } from '../../../generated/errors.ts'
import type { Issue } from '../../validators/issues.ts'
import { ApiError } from '../kernel/errors.ts'

/** The part of an operation's row in the generated table that is used here. */
interface OperationErrors {
  oauth: boolean
  errors: Readonly<Record<string, readonly string[]>>
}

/** The order in which errors of a body are reported. Other codes come after these. */
const stages = ['UNKNOWN_FIELDS', 'MISSING_FIELDS', 'INVALID_FIELD']
const maximumNamed = 20

/**
 * Throws one error for everything that is wrong. Its code is that of the first stage that found something,
 * and its message begins with that stage.
 */
export function rejectIssues(issues: readonly Issue[], operation: OperationErrors): void {
  const codes = new Set([...stages, ...issues.map((issue) => issue.code)])
  const found = [...codes]
    .map((code) => ({ code, issues: issues.filter((issue) => issue.code === code) }))
    .filter((stage) => stage.issues.length > 0)
  const [first] = found
  if (!first) return
  const message = found.map((stage) => describe(stage.code, stage.issues)).join('; ')
  const fields = found
    .flatMap((stage) => stage.issues)
    .slice(0, maximumNamed)
    .map(({ path, message }) => ({ field: path, message }))
  throw new ApiError(keyOf(first.code, operation), { message, fields })
}

function keyOf(code: string, operation: OperationErrors): ErrorKey {
  if (operation.oauth && stages.includes(code)) return 'oauth.invalid_request'
  const key = findKey(operation.errors['400'] ?? [], code)
  if (!key) throw new Error(`the operation does not list ${code}`)
  return key
}

/** The catalogue key in a list for a bare error code. A key stands for itself. */
export function findKey(keys: readonly string[], code: string): ErrorKey | undefined {
  const known = keys as readonly ErrorKey[]
  return known.find((key) => key === code) ?? known.find((key) => errorCatalogue[key].code === code)
}

function describe(code: string, issues: readonly Issue[]): string {
  const named = issues.slice(0, maximumNamed)
  const rest = issues.length - named.length
  const more = rest > 0 ? ` and ${rest} more` : ''
  const names = named.map(nameOf).join(', ')
  if (code === 'UNKNOWN_FIELDS') return `unknown fields: ${names}${more}`
  const plain = named.every((issue) => issue.message === 'is required')
  if (code === 'MISSING_FIELDS' && plain) return `missing fields: ${names}${more}`
  const sentences = named.map(
    ({ path, message }) => `${path ? `\`${path}\`` : 'the body'} ${message}`,
  )
  return `${sentences.join('; ')}${more}`
}

const nameOf = ({ path, suggestion }: Issue): string =>
  suggestion === undefined ? `\`${path}\`` : `\`${path}\` (did you mean \`${suggestion}\`?)`
