import { type Contract, resolve, type Schema } from '../../scripts/contract/contract.ts'
import { isRule } from '../../src/contract/published.ts'

/** What a schema of the contract says of a field by its structure, references and unions followed. */
export interface View {
  types?: Set<string>
  values?: unknown[]
  default?: unknown
  format?: string
  patterns: string[]
  bounds: Record<string, number | boolean>
  properties: Record<string, Schema>
  required: Set<string>
  items?: Schema
  members?: Schema
  closed: boolean
}

const boundNames: Record<string, string> = {
  minimum: 'min',
  maximum: 'max',
  exclusiveMinimum: 'exclusiveMin',
  exclusiveMaximum: 'exclusiveMax',
  multipleOf: 'multipleOf',
  minLength: 'minLength',
  maxLength: 'maxLength',
  minItems: 'minItems',
  maxItems: 'maxItems',
  uniqueItems: 'uniqueItems',
  minProperties: 'minProperties',
  maxProperties: 'maxProperties',
}

function viewOf(contract: Contract, schema: Schema): View {
  const parts = [ownView(schema)]
  if (schema.$ref)
    parts.unshift(viewOf(contract, resolve(contract, { $ref: schema.$ref } as Schema)))
  for (const part of schema.allOf ?? []) if (!isRule(part)) parts.push(viewOf(contract, part))
  for (const list of [schema.anyOf, schema.oneOf]) {
    const alternatives = (list ?? []).filter((part) => !isRule(part))
    if (alternatives.length > 0)
      parts.push(either(alternatives.map((part) => viewOf(contract, part))))
  }
  return parts.reduce(both)
}

function ownView(schema: Schema): View {
  const view: View = {
    patterns: [],
    bounds: {},
    properties: {},
    required: new Set(),
    closed: false,
  }
  const values = schema.enum ?? (schema['const'] === undefined ? undefined : [schema['const']])
  if (schema.type !== undefined) view.types = new Set([schema.type].flat())
  else if (values)
    view.types = new Set(values.map((value) => (value === null ? 'null' : typeof value)))
  if (values) view.values = values.filter((value) => value !== null)
  if (schema['default'] !== undefined) view.default = schema['default']
  if (typeof schema['format'] === 'string') view.format = schema['format']
  if (typeof schema['pattern'] === 'string') view.patterns.push(schema['pattern'])
  for (const [keyword, name] of Object.entries(boundNames)) {
    const bound = schema[keyword]
    if (typeof bound === 'number' || bound === true) view.bounds[name] = bound
  }
  view.properties = { ...schema.properties }
  view.required = new Set(schema.required)
  if (schema.items) view.items = schema.items
  if (typeof schema.additionalProperties === 'object') view.members = schema.additionalProperties
  const others = [schema.additionalProperties, schema['unevaluatedProperties']]
  view.closed = others.includes(false)
  return view
}

const joined = (keyword: 'allOf' | 'anyOf', one?: Schema, two?: Schema): Schema | undefined =>
  one && two ? { [keyword]: [one, two] } : (one ?? two)

function joinProperties(keyword: 'allOf' | 'anyOf', one: View, two: View): Record<string, Schema> {
  const names = [...Object.keys(one.properties), ...Object.keys(two.properties)]
  return Object.fromEntries(
    names.map((name) => [name, joined(keyword, one.properties[name], two.properties[name])!]),
  )
}

/** What a value has to be that fits the one and the other. */
function both(one: View, two: View): View {
  const types = one.types && two.types ? narrow(one.types, two.types) : (one.types ?? two.types)
  const values =
    one.values && two.values
      ? one.values.filter((value) => two.values!.includes(value))
      : (one.values ?? two.values)
  return combine('allOf', one, two, types, values)
}

/** An integer is a number, too. */
function narrow(one: Set<string>, two: Set<string>): Set<string> {
  const has = (types: Set<string>, type: string) =>
    types.has(type) || (type === 'integer' && types.has('number'))
  return new Set([...one, ...two].filter((type) => has(one, type) && has(two, type)))
}

/** What a value has to be that fits one of them; null adds nothing but itself. */
function either(views: View[]): View {
  const isNull = (view: View) => view.types?.size === 1 && view.types.has('null')
  const others = views.filter((view) => !isNull(view))
  if (others.length === 0) return views[0]!
  const joint = others.reduce((one, two) => {
    const types = one.types && two.types ? new Set([...one.types, ...two.types]) : undefined
    const values = one.values && two.values ? [...one.values, ...two.values] : undefined
    return combine('anyOf', one, two, types, values)
  })
  if (others.length < views.length && joint.types) joint.types = new Set([...joint.types, 'null'])
  return joint
}

function combine(
  keyword: 'allOf' | 'anyOf',
  one: View,
  two: View,
  types: Set<string> | undefined,
  values: unknown[] | undefined,
): View {
  const items = joined(keyword, one.items, two.items)
  const members = joined(keyword, one.members, two.members)
  const format = two.format ?? one.format
  const preset = two.default ?? one.default
  return {
    ...(types && { types }),
    ...(values && { values }),
    ...(preset !== undefined && { default: preset }),
    ...(format !== undefined && { format }),
    ...(items && { items }),
    ...(members && { members }),
    patterns: [...one.patterns, ...two.patterns],
    bounds: { ...one.bounds, ...two.bounds },
    properties: joinProperties(keyword, one, two),
    required: new Set([...one.required, ...two.required]),
    closed: one.closed || two.closed,
  }
}

/** A field of the contract: its schema, what that says, and whether the key must be there. */
export interface ContractField {
  schema: Schema
  view: View
  required: boolean
}

/** Every field of a body by its path, in the notation of the facts; `$` is the body itself. */
export function fieldsOf(contract: Contract, schema: Schema): Map<string, ContractField> {
  const fields = new Map<string, ContractField>()
  const visit = (path: string, node: Schema, required: boolean): void => {
    const view = viewOf(contract, node)
    fields.set(path, { schema: node, view, required })
    if (path.split('.').length > 20) throw new Error(`no end at ${path}`)
    const below = (name: string) => (path === '$' ? name : `${path}.${name}`)
    for (const [name, property] of Object.entries(view.properties)) {
      visit(below(name), property, view.required.has(name))
    }
    if (view.items) visit(`${path}[]`, view.items, false)
    if (view.members) visit(below('*'), view.members, false)
  }
  visit('$', schema, true)
  return fields
}
