import { type ErrorKey, errorCatalogue } from '../../../generated/errors.ts'
import type { IgnoredField } from '../../validators/ignored.ts'
import type { Issue } from '../../validators/issues.ts'
import { ApiError } from '../kernel/errors.ts'
import { listIgnored } from './ignored-fields.ts'

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
export function rejectIssues(
  issues: readonly Issue[],
  operation: OperationErrors,
  ignored: readonly IgnoredField[] = [],
): void {
  const found = toStages(issues)
  const [first] = found
  if (!first) return
  const message = [describeIssues(issues), ...describeIgnored(ignored, issues)].join('; ')
  const fields = found
    .flatMap((stage) => stage.issues)
    .slice(0, maximumNamed)
    .map((issue) => ({ field: issue.path, message: sentenceOf(issue) }))
  const action = first.code === 'MISSING_FIELDS' ? actionFor(first.issues) : {}
  throw new ApiError(keyOf(first.code, operation), { message, fields, ...action })
}

/** Everything that is wrong, in the order of the stages. */
export const describeIssues = (issues: readonly Issue[]): string =>
  toStages(issues)
    .map((stage) => describe(stage.code, stage.issues))
    .join('; ')

function toStages(issues: readonly Issue[]): { code: string; issues: Issue[] }[] {
  const codes = new Set([...stages, ...issues.map((issue) => issue.code)])
  return [...codes]
    .map((code) => ({ code, issues: issues.filter((issue) => issue.code === code) }))
    .filter((stage) => stage.issues.length > 0)
}

/** The ignored fields that probably stand for a missing one; of those in elements the first. */
function describeIgnored(ignored: readonly IgnoredField[], issues: readonly Issue[]): string[] {
  const missing = new Set(
    issues.filter(({ code }) => code === 'MISSING_FIELDS').map(({ path }) => path),
  )
  const meant = ignored.filter(({ suggestion = '' }) => missing.has(suggestion))
  const each = new Map(meant.toReversed().map((field) => [templateOf(field.path), field]))
  return each.size === 0
    ? []
    : [`ignored fields: ${listIgnored([...each.values()].toReversed(), '`')}`]
}

/** A field that was sent as null is not to be added. */
function actionFor(issues: readonly Issue[]): { action?: string } {
  const isNull = issues.map(({ message }) => message === 'must not be null')
  if (!isNull.includes(true)) return {}
  if (isNull.includes(false)) return { action: 'Send the named fields with values.' }
  return { action: 'Send values other than null in the named fields.' }
}

const sentenceOf = ({ message, form, suggestion }: Issue): string =>
  form === undefined || suggestion !== undefined ? message : `${message}: ${form}`

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
  const alike = groupAlike(issues)
  const named = alike.slice(0, maximumNamed)
  const rest = alike.length - named.length
  const more = rest > 0 ? ` and ${rest} more` : ''
  const names = named.map((group) => nameOf(group.first) + othersOf(group)).join(', ')
  if (code === 'UNKNOWN_FIELDS') return `unknown fields: ${names}${more}`
  const plain = named.every(({ first }) => first.message === 'is required')
  if (code === 'MISSING_FIELDS' && plain) return `missing fields: ${names}${more}`
  const sentences = named.map((group) => {
    const { path } = group.first
    return `${path ? `\`${path}\`` : 'the body'}${othersOf(group)} ${sentenceOf(group.first)}`
  })
  return `${sentences.join('; ')}${more}`
}

/** The path without the numbers of elements. */
const templateOf = (path: string): string => path.replaceAll(/\[\d+\]/g, '[]')

/** The same issue in several elements of an array. */
interface Alike {
  first: Issue
  /** In how many elements besides the first. */
  others: number
}

/** Tells an issue that many elements have once: the same words again help nobody. */
function groupAlike(issues: readonly Issue[]): Alike[] {
  const groups = new Map<string, Issue[]>()
  for (const issue of issues) {
    const key = `${templateOf(issue.path)} ${nameOf({ ...issue, path: '' })} ${sentenceOf(issue)}`
    groups.set(key, [...(groups.get(key) ?? []), issue])
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    if (first && group.length > longestEach) return [{ first, others: group.length - 1 }]
    return group.map((issue) => ({ first: issue, others: 0 }))
  })
}

/** So many elements are named each. */
const longestEach = 2

const othersOf = ({ others }: Alike): string =>
  others === 0 ? '' : ` (also in ${others} other elements)`

function nameOf({ path, suggestion, form }: Issue): string {
  if (suggestion === undefined) return form === undefined ? `\`${path}\`` : `\`${path}\` (${form})`
  const limit = form === undefined ? '' : `, which ${form}`
  return `\`${path}\` (did you mean \`${suggestion}\`${limit}?)`
}
