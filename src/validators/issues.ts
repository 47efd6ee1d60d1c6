import { closest, nearest } from '../nearest.ts'

/** One thing that is wrong with a value. */
export interface Issue {
  /** Where it stands, as in `options.account_ids[0]`; empty for the value as a whole. */
  path: string
  /** The error code that a request with this issue is refused with. */
  code: string
  /** What was expected there. It never contains the value. */
  message: string
  /** For a field that is not known: the path of the field that was probably meant. */
  suggestion?: string
  /** For a missing field: what belongs there. For a suggestion: what the value has to be there. */
  form?: string
}

/** What the contract says in words about a place; the key is its path with `[]` and `*` for members. */
export interface Hint {
  /** Completes "must be …". */
  expected?: string
  /** The same where a rule is stricter; the key is the rule's place beside the properties. */
  rules?: Record<string, string>
  /** Completes "every key must be …". */
  names?: string
  /** The path of the docs that list the values, where a message does not. */
  reference?: string
  /** The names of an object's fields. */
  fields?: readonly string[]
  /** Whether the request takes fields that it does not know, and ignores them. */
  open?: true
  /** What belongs there: the values, or what an object must hold. */
  form?: string
  /** The fields whose values a rule depends on; the key is the rule's place. */
  when?: Record<string, readonly string[]>
  /** The code of a malformed value, where it is not INVALID_FIELD. */
  code?: string
  /** The code of a missing member, where it is not MISSING_FIELDS. */
  missing?: string
  /** The fields of a rule "one of these", and its code where it is not the usual one. */
  oneOf?: string[]
  rule?: string
  /** The fields of each rule "not all of these". */
  not?: string[][]
  /** The field that a rule refuses, and where that is so; the key is the rule's place. */
  absent?: Record<string, [name: string, where: string]>
}

export type Hints = Record<string, Hint>

/** The part of an Ajv error that is read here. */
export interface SchemaError {
  instancePath: string
  schemaPath: string
  keyword: string
  params: Record<string, unknown>
}

/** More are not told of one value, nor looked for. */
export const maximumIssues = 100
const unexplained = 'is not as described'
const maximumName = 64

/** Tells what is wrong in our own words, in the order of the schema, each place once per code. */
export function toIssues(errors: readonly SchemaError[], value: unknown, hints: Hints): Issue[] {
  const issues = new Map<string, Issue>()
  const byType = new Set<string>()
  for (const error of errors) {
    const issue = toIssue(error, value, hints)
    if (!issue) continue
    const missing = issues.get(`MISSING_FIELDS ${issue.path}`)
    const key = `${issue.code} ${issue.path}`
    // The values that a rule leaves come before everything that the field has; a type says less.
    const isTold = error.keyword === 'enum' && issues.has(key) && !byType.delete(key)
    if (error.keyword === 'type') byType.add(key)
    // An alternative may have said more than that none of them fits.
    const isKnown = issue.message === unexplained && issues.has(key)
    if (missing === undefined && !isTold && !isKnown) issues.set(key, issue)
    if (issue.code === 'MISSING_FIELDS') issues.delete(`INVALID_FIELD ${issue.path}`)
    if (issues.size >= maximumIssues) break
  }
  // Whatever the errors were, what was refused must not come out as fine.
  if (issues.size === 0) return [{ path: '', code: 'INVALID_FIELD', message: unexplained }]
  return [...issues.values()]
}

function toIssue(error: SchemaError, value: unknown, hints: Hints): Issue | undefined {
  const { keyword, params } = error
  // What an alternative or a condition says by itself is not a finding.
  if (keyword === 'if' || inPart.test(error.schemaPath)) return undefined
  const place = toPath(error.instancePath, value)
  const at = (name: unknown) => join(place.path, String(name))
  const hint = hints[place.template] ?? hints[place.template.replace(/[^.]+$/, '*')] ?? {}
  if (keyword === 'required' || keyword === 'dependentRequired' || keyword === 'x-non-null') {
    const name = String(params['missingProperty'])
    const code = hint.missing ?? 'MISSING_FIELDS'
    if (keyword === 'x-non-null') return { path: at(name), code, message: 'must not be null' }
    const { form } = hints[join(place.template, name)] ?? {}
    return { path: at(name), code, message: 'is required', ...(form === undefined ? {} : { form }) }
  }
  if (keyword === 'additionalProperties') {
    const name = String(params['additionalProperty']).slice(0, maximumName)
    const suggestion = suggest(name, place, hints)
    const unknown = { path: at(name), code: 'UNKNOWN_FIELDS' }
    const message = 'is not a field of this request'
    return suggestion === undefined
      ? { ...unknown, message }
      : { ...unknown, message: `${message}; did you mean \`${suggestion}\`?`, suggestion }
  }
  if (hint.oneOf && (keyword === 'oneOf' || keyword === 'anyOf')) {
    return ruleIssue(params, place.path, hint.oneOf, hint.rule)
  }
  // A value of another type is not a malformed one of this kind: types come before them.
  const code = keyword === 'type' ? 'INVALID_FIELD' : (hint.code ?? 'INVALID_FIELD')
  if (hint.not && keyword === 'not') {
    const names = hint.not.find((list) => hasAll(valueAt(error.instancePath, value), list))
    return { path: place.path, code, message: `cannot hold ${list(names ?? [], 'and')} together` }
  }
  const [, refusing = ''] = error.schemaPath.match(refusal) ?? []
  const absent = hint.absent?.[refusing]
  if (absent) {
    const [name, where] = absent
    return { path: at(name), code, message: `must be left out where ${where}` }
  }
  if (keyword === 'propertyNames' && hint.names) {
    return { path: place.path, code, message: `every key must be ${hint.names}` }
  }
  const [, rule = ''] = error.schemaPath.match(inRule) ?? []
  const expected = hint.rules?.[rule] ?? hint.expected
  const wrong = valueAt(error.instancePath, value)
  if (keyword === 'type') {
    return { path: place.path, code, message: expectedType([params['type']].flat(), hint) }
  }
  const message = expectation(keyword, params, { ...hint, expected }, wrong)
  const where = keyword === 'enum' ? whereOf(hint.when?.[rule] ?? [], error, value) : ''
  return { path: place.path, code, message: message + where }
}

/** The values by which a rule came to apply. The contract lists them, so none is a secret. */
function whereOf(names: readonly string[], error: SchemaError, value: unknown): string {
  const object = valueAt(error.instancePath.replace(/\/[^/]*$/, ''), value) as Record<
    string,
    unknown
  >
  const told = names.map((name) => `\`${name}\` is ${object[name]}`)
  return told.length === 0 ? '' : `, where ${told.join(' and ')}`
}

/** The field that a wrong name stands for: of the same object, or one above or right below. */
export function suggest(name: string, { path, template }: Place, hints: Hints): string | undefined {
  const others = Object.entries(hints).filter(([at]) => at !== template && isClose(at, template))
  const [same] = others.find(([, { fields }]) => fields?.includes(name)) ?? []
  if (same !== undefined) return join(same, name)
  const near = nearest(name, hints[template]?.fields ?? [])
  if (near !== undefined) return join(path, near)
  for (const [at, { fields = [] }] of others) {
    const meant = nearest(name, fields, shortestElsewhere)
    if (meant !== undefined) return join(at, meant)
  }
  return undefined
}

/** Shorter names look like too many of another object. */
const shortestElsewhere = 6

/** Whether an object holds another, or is a field of the body beside it. */
const isClose = (at: string, template: string): boolean =>
  at === '' || template.startsWith(`${at}.`) || (template === '' && /^\w+$/.test(at))

const inPart = /\/(oneOf|anyOf|not|propertyNames)\//
const refusal = /((?:allOf\/\d+\/)?then)\/not$/
const inRule = /((?:allOf\/\d+\/)?(?:then|else))\/properties\/[^/]+(?:\/x-by-type\/\w+)?\/\w+$/

function ruleIssue(
  params: Record<string, unknown>,
  path: string,
  fields: string[],
  rule: string | undefined,
): Issue {
  if (Array.isArray(params['passingSchemas'])) {
    const message = `must hold only one of ${list(fields, 'and')}`
    return { path, code: rule ?? 'INVALID_FIELD', message }
  }
  return { path, code: rule ?? 'MISSING_FIELDS', message: `must hold ${list(fields, 'or')}` }
}

const formats: Record<string, string> = {
  date: 'a date, YYYY-MM-DD',
  'date-time': 'a date-time with an offset, such as 2026-03-16T14:05:09Z',
  email: 'an e-mail address',
  uri: 'an absolute URI',
  uuid: 'a UUID',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
  int32: 'an integer of 32 bits',
}

const types: Record<string, string> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
  null: 'null',
}

const maximumFields = 10

/** The types, and beside them the form of a string and the fields of an object. */
function expectedType(all: readonly unknown[], { expected, fields = [], form }: Hint): string {
  // A caller who sends another type instead of an object needs to know its fields.
  const isObject = all.includes('object')
  const names = isObject ? all.filter((name) => name !== 'null') : all
  const own = isObject && names.length === 1 ? form : undefined
  const message = `must be ${own ?? names.map((name) => types[String(name)]).join(' or ')}`
  if (names.includes('string') && expected !== undefined) return `${message}: ${expected}`
  if (!isObject || fields.every((name) => own?.includes(`\`${name}\``))) return message
  const named = fields.slice(0, maximumFields).map((name) => `\`${name}\``)
  const rest = fields.length - named.length
  return `${message} (fields: ${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''})`
}

function expectation(
  keyword: string,
  params: Record<string, unknown>,
  { expected, reference }: { expected: string | undefined; reference?: string },
  value: unknown,
): string {
  const limit = Number(params['limit'])
  switch (keyword) {
    case 'enum':
      return oneOfValues(params['allowedValues'] as unknown[], value, reference)
    case 'minimum':
      return `must be at least ${limit}`
    case 'maximum':
      return `must be at most ${limit}`
    case 'minLength':
      return `must be at least ${count(limit, 'character')} long`
    case 'maxLength':
      // The form of a date says its length, and more.
      if (expected?.includes('YYYY-MM-DD')) return `must be ${expected}`
      return `must be at most ${count(limit, 'character')} long`
    case 'minItems':
      return `must hold at least ${count(limit, 'element')}`
    case 'maxItems':
      return `must hold at most ${count(limit, 'element')}`
    case 'maxProperties':
      return `must hold at most ${count(limit, 'entry', 'entries')}`
    case 'uniqueItems':
      return 'must not hold the same element twice'
    case 'format':
      return `must be ${expected ?? formats[String(params['format'])] ?? 'well-formed'}${padding(value)}`
    default:
      return expected ? `must be ${expected}${padding(value)}` : unexplained
  }
}

/** The white space around a text, which nobody sees. */
function padding(value: unknown): string {
  if (typeof value !== 'string' || value.trim() === value) return ''
  const place = value.trimEnd() === value ? 'start' : 'end'
  return `, without white space at its ${place}`
}

/** Of more values a message names the nearest only. */
export const maximumListed = 20

/** Of a long list the values nearest to the wrong one; the reference has all. */
function oneOfValues(values: readonly unknown[], wrong: unknown, reference?: string): string {
  if (values.length <= maximumListed) return `must be one of: ${values.join(', ')}`
  // Another value than a text may be large, and is near to none.
  const near = closest(typeof wrong === 'string' ? wrong : '', values.map(String)).slice(0, 3)
  const place = reference === undefined ? '' : ` (${reference})`
  return `must be one of the ${values.length} values that the reference lists${place}, such as ${near.join(', ')}`
}

const count = (number: number, one: string, many = `${one}s`): string =>
  `${number} ${number === 1 ? one : many}`

function list(names: string[], word: string): string {
  const quoted = names.map((name) => `\`${name}\``)
  const last = quoted.pop() ?? ''
  return quoted.length > 0 ? `${quoted.join(', ')} ${word} ${last}` : last
}

export const join = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`)

/** A place in a value, and the key of its hint. */
export interface Place {
  path: string
  template: string
}

/** A JSON pointer as a path for people, and as the key of the hints. */
export function toPath(pointer: string, value: unknown): Place {
  let path = ''
  let template = ''
  let node = value
  for (const key of keysOf(pointer)) {
    const element = Array.isArray(node)
    path = element ? `${path}[${key}]` : join(path, key.slice(0, maximumName))
    template = element ? `${template}[]` : join(template, key)
    node = (node as Record<string, unknown> | undefined)?.[key]
  }
  return { path, template }
}

const keysOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))

function valueAt(pointer: string, value: unknown): unknown {
  let node = value
  for (const key of keysOf(pointer)) node = (node as Record<string, unknown> | undefined)?.[key]
  return node
}

const hasAll = (value: unknown, names: string[]): boolean =>
  typeof value === 'object' && value !== null && names.every((name) => Object.hasOwn(value, name))
