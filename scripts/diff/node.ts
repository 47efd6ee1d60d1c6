import { isRule } from '../../src/contract/published.ts'
import { type Contract, resolve, type Schema } from '../contract/contract.ts'
import {
  type Condition,
  type Located,
  type Rule,
  readConditions,
  readRules,
} from './field-conditions.ts'
import { meaningOf } from './meaning.ts'

/** What a value may be: references followed, `allOf` joined, null taken out of `anyOf`. */
export class Node {
  at: string
  /** Undefined where every type is accepted. */
  types: Set<string> | undefined
  /** The values to choose from, as JSON. */
  values: Set<string> | undefined
  required = new Set<string>()
  fields = new Map<string, Located[]>()
  items: Located[] = []
  /** The values of a map, and its names. */
  map: Located[] = []
  names: Located[] = []
  /** Whether unknown fields are rejected. */
  closed = false
  bounds = new Map<string, number>()
  patterns = new Set<string>()
  formats = new Set<string>()
  conditions: Condition[] = []
  rules: Rule[] = []
  /** The forms to choose from, where a value has several. */
  forms: Located[][] = []
  /** Every other keyword with its value. */
  others = new Map<string, unknown>()
  /** Where each keyword is written. */
  places = new Map<string, string>()

  constructor(at: string) {
    this.at = at
  }
}

const bounds = new Set([
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'],
])

const ruleKeywords = new Set(['not', 'contains', 'dependentRequired', 'dependentSchemas'])

/** Reads schemas that a value fits all of. */
export function readNode(contract: Contract, all: Located[]): Node {
  const node = new Node(all[0]?.at ?? '')
  for (const located of all) read(contract, node, located)
  return node
}

function read(contract: Contract, node: Node, { schema, at }: Located): void {
  if (schema.$ref) {
    const target = resolve(contract, { $ref: schema.$ref } as Schema)
    const place = schema.$ref.slice(1)
    if (node.at === at) node.at = place
    read(contract, node, { schema: target, at: place })
  }
  for (const [keyword, value] of Object.entries(meaningOf(schema))) {
    if (keyword === '$ref') continue
    node.places.set(keyword, `${at}/${keyword}`)
    readKeyword(contract, node, keyword, value, { schema, at: `${at}/${keyword}` })
  }
  if (schema.type === undefined && schema.enum) {
    narrow(node, schema.enum.map(jsonType))
  }
}

function readKeyword(
  contract: Contract,
  node: Node,
  keyword: string,
  value: unknown,
  { schema, at }: Located,
): void {
  const part: Located = { schema: value as Schema, at }
  if (keyword === 'type') narrow(node, [value as string | string[]].flat())
  else if (keyword === 'enum') keep(node, value as unknown[])
  else if (keyword === 'const') keep(node, [value])
  else if (keyword === 'required') for (const name of value as string[]) node.required.add(name)
  else if (keyword === 'properties') readFields(node, value as Record<string, Schema>, at)
  else if (keyword === 'items') node.items.push(part)
  else if (keyword === 'propertyNames') node.names.push(part)
  else if (keyword === 'additionalProperties') readAdditional(node, part)
  else if (bounds.has(keyword)) tighten(node, keyword, value as number)
  else if (keyword === 'pattern') node.patterns.add(value as string)
  else if (keyword === 'format') node.formats.add(value as string)
  else if (keyword === 'allOf') eachPart(part, (one) => read(contract, node, one))
  else if (keyword === 'anyOf' || keyword === 'oneOf') readForms(contract, node, keyword, part)
  else if (keyword === 'if') addConditions(node, readConditions(contract, schema, at))
  else if (keyword === 'then' || keyword === 'else') return
  else if (ruleKeywords.has(keyword)) node.rules.push(...readRules(contract, keyword, part))
  else node.others.set(keyword, value)
}

/** Visits the schemas of a keyword whose value is a list. */
const eachPart = ({ schema, at }: Located, visit: (part: Located) => void): void => {
  for (const [index, part] of (schema as unknown as Schema[]).entries()) {
    visit({ schema: part, at: `${at}/${index}` })
  }
}

function narrow(node: Node, types: string[]): void {
  const own = new Set(types)
  if (!node.types) node.types = own
  else {
    const integer = [node.types, own].some((one) => one.has('integer') && !one.has('number'))
    const both = [...node.types].filter((type) => own.has(type))
    node.types = new Set(integer && !both.includes('integer') ? [...both, 'integer'] : both)
  }
}

function keep(node: Node, values: unknown[]): void {
  const own = values.map((value) => JSON.stringify(value))
  node.values = new Set(node.values ? own.filter((value) => node.values!.has(value)) : own)
}

function readFields(node: Node, fields: Record<string, Schema>, at: string): void {
  for (const [name, schema] of Object.entries(fields)) {
    const place = { schema, at: `${at}/${escapeKey(name)}` }
    node.fields.set(name, [...(node.fields.get(name) ?? []), place])
  }
}

function readAdditional(node: Node, part: Located): void {
  if ((part.schema as unknown) === false) node.closed = true
  else if (typeof part.schema === 'object') node.map.push(part)
}

function tighten(node: Node, keyword: string, value: number): void {
  const other = node.bounds.get(keyword) ?? value
  const isLower = isLowerBound(keyword)
  node.bounds.set(keyword, isLower ? Math.max(value, other) : Math.min(value, other))
}

export const isLowerBound = (keyword: string): boolean => /^(min|exclusiveMin)/.test(keyword)

/** `X or null` is X that may be null; lists of rules are one rule; the rest are forms. */
function readForms(contract: Contract, node: Node, keyword: string, part: Located): void {
  const forms: Located[] = []
  eachPart(part, (form) => forms.push(form))
  if (forms.every(({ schema }) => isRule(schema))) {
    node.rules.push(...readRules(contract, keyword, part))
    return
  }
  const some = forms.filter(({ schema }) => schema.type !== 'null')
  const types = forms.map((form) => readNode(contract, [form]).types)
  if (types.every((one) => one !== undefined))
    narrow(node, [...new Set(types.flatMap((one) => [...one]))])
  if (some.length > 1) node.forms.push(...some.map((form) => [form]))
  else for (const form of some) readForm(contract, node, form)
}

/** Reads the only form there is; the types are known, and null may be among them. */
function readForm(contract: Contract, node: Node, form: Located): void {
  const { types } = node
  node.types = undefined
  if (node.at === form.at.replace(/\/(any|one)Of\/\d+$/, '')) node.at = form.at
  read(contract, node, form)
  node.types = types
}

/** Conditions that ask the same are one. */
function addConditions(node: Node, all: Condition[]): void {
  for (const condition of all) {
    const same = node.conditions.find(({ key }) => key === condition.key)
    if (!same) node.conditions.push(condition)
    same?.then.push(...condition.then)
    same?.else.push(...condition.else)
    same?.rules.push(...condition.rules)
  }
}

const jsonType = (value: unknown): string => (value === null ? 'null' : typeof value)

/** A key as it stands in a JSON Pointer. */
export const escapeKey = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1')

export const unescapeKey = (key: string): string => key.replaceAll('~1', '/').replaceAll('~0', '~')
