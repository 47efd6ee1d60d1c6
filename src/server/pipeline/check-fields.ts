import { type ErrorKey, errorCatalogue } from '../../../generated/errors.ts'
import type { Issue } from '../../validators/issues.ts'
import { ApiError } from '../kernel/errors.ts'

/** The part of an operation's row in the generated table that is used here. */
export interface OperationErrors {
  oauth: boolean
  errors: Readonly<Record<string, readonly string[]>>
}

/** The order in which errors of a body are reported. Other codes come after these. */
const stages = ['UNKNOWN_FIELDS', 'MISSING_FIELDS', 'INVALID_FIELD']
const maximumNamed = 20

/** Throws the error of the first stage that has an issue, and names the fields of that stage. */
export function rejectIssues(issues: readonly Issue[], operation: OperationErrors): void {
  if (issues.length === 0) return
  const codes = [...stages, ...issues.map((issue) => issue.code)]
  const code = codes.find((candidate) => issues.some((issue) => issue.code === candidate))
  if (code === undefined) return
  const found = issues.filter((issue) => issue.code === code)
  throw new ApiError(keyOf(code, operation), { message: describe(code, found) })
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
  const names = named.map((issue) => `\`${issue.path}\``).join(', ')
  if (code === 'UNKNOWN_FIELDS') return `unknown fields: ${names}${more}`
  const plain = named.every((issue) => issue.message === 'is required')
  if (code === 'MISSING_FIELDS' && plain) return `missing fields: ${names}${more}`
  const sentences = named.map(
    ({ path, message }) => `${path ? `\`${path}\`` : 'the body'} ${message}`,
  )
  return `${sentences.join('; ')}${more}`
}
