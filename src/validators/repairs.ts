import { type Hints, type Issue, type SchemaError, toPath } from './issues.ts'

/** Of more suggestions it is not told what their values have to be. */
const maximumTried = 20

/**
 * Tells of each suggested field what the given value has to be there, so that one repair is enough.
 * `check` tells what is wrong with a copy in which the values are at the suggested places.
 */
export function tryRepairs(
  issues: Issue[],
  value: unknown,
  check: (repaired: unknown) => readonly Issue[],
): Issue[] {
  const guessed = issues.filter(({ suggestion }) => suggestion !== undefined).slice(0, maximumTried)
  if (guessed.length === 0) return issues
  let repaired = value
  for (const { path, suggestion = '' } of guessed) {
    const given = keysOf(path).reduce(memberOf, value)
    if (given !== undefined) repaired = put(repaired, keysOf(suggestion), given)
  }
  if (repaired === value) return issues
  const left = check(repaired).filter(({ code }) => code !== 'UNKNOWN_FIELDS')
  return issues.map((issue) => {
    const { suggestion, message } = issue
    const wrong = suggestion && left.find(({ path }) => path === suggestion)
    if (!wrong) return issue
    const form = wrong.message
    return { ...issue, message: message.replace(/\?$/, `, which ${form}?`), form }
  })
}

/**
 * Tells what is wrong with the first element of each array that has too many. No validator looks into
 * such an array, so that the cost of rejecting it does not grow with its size.
 */
export function checkCut(
  errors: readonly SchemaError[],
  value: unknown,
  check: (cut: unknown) => readonly Issue[],
): Issue[] {
  const tooLong = errors.filter(({ keyword }) => keyword === 'maxItems')
  const paths = tooLong.map(({ instancePath }) => toPath(instancePath, value).path)
  if (paths.length === 0) return []
  const cut = paths.reduce((node, path) => cutAt(node, keysOf(path)), value)
  return check(cut).filter(({ path }) => paths.some((array) => path.startsWith(`${array}[`)))
}

/** A copy in which the array at a place has its first element only. */
function cutAt(node: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) return Array.isArray(node) ? node.slice(0, 1) : node
  if (!isObject(node) || !Object.hasOwn(node, key)) return node
  const member = cutAt(node[key], rest)
  return Array.isArray(node)
    ? node.map((element, at) => (String(at) === key ? member : element))
    : { ...node, [key]: member }
}

/** What the values of a missing field are tried with. */
interface Trial {
  value: unknown
  hints: Hints
  check: (tried: unknown) => readonly Issue[]
}

/** Of the values listed for a missing field, leaves those that the other fields allow. */
export function narrowForms(issues: Issue[], { value, hints, check }: Trial): Issue[] {
  return issues.map((issue) => {
    const { path, form } = issue
    const isDependent = hints[path.replaceAll(/\[\d+\]/g, '[]')]?.when !== undefined
    const [, listed] = form?.match(/^one of: ([^;]+)$/) ?? []
    if (!isDependent || listed === undefined) return issue
    const allowed = listed.split(', ').filter((each) => {
      return !check(put(value, keysOf(path), each)).some((wrong) => wrong.path === path)
    })
    return allowed.length === 0 ? issue : { ...issue, form: `one of: ${allowed.join(', ')}` }
  })
}

/** The keys of a path such as `options.account_ids[0]`. */
const keysOf = (path: string): string[] => path.match(/[^.[\]]+/g) ?? []

const isObject = (node: unknown): node is Record<string, unknown> =>
  typeof node === 'object' && node !== null

const memberOf = (node: unknown, key: string): unknown =>
  isObject(node) && Object.hasOwn(node, key) ? node[key] : undefined

/** A copy with a value at a place where there was none. */
function put(node: unknown, [key = '', ...rest]: readonly string[], given: unknown): unknown {
  if (!isObject(node)) return node
  const old = memberOf(node, key)
  if (rest.length === 0 && old !== undefined) return node
  const value = rest.length === 0 ? given : put(old ?? {}, rest, given)
  return Array.isArray(node)
    ? node.map((element, at) => (String(at) === key ? value : element))
    : { ...node, [key]: value }
}
