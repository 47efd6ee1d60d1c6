import { type Contract, reach, resolve, type Schema } from './document.ts'
import { isRule } from './published.ts'

/**
 * The forms in which a schema of the contract is compiled.
 * - `request`: as written; a null in a required field counts as missing, and where the contract says
 *   `x-open`, one in any other field counts as absent.
 * - `tolerant`: for answers of a service that may be newer than this contract: enums, lengths and
 *   counts are not checked.
 * - `exact`: for our own answers: as written, and closed.
 */
export type Form = 'request' | 'tolerant' | 'exact'

const lengthsAndCounts = new Set([
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
])

/** What is said for people, or for other tools, and not checked. */
const annotations = new Set([
  'description',
  'examples',
  'default',
  'deprecated',
  'contentEncoding',
  'contentMediaType',
  'contentSchema',
  'x-enumDescriptions',
  'x-expected',
  'x-error-code',
  'x-open',
  'x-always',
])

/** Bounds say more than the format, and in better words. */
const isBoundedInt32 = (keyword: string, schema: Schema): boolean =>
  keyword === 'format' && schema['format'] === 'int32' && 'minimum' in schema && 'maximum' in schema

/** Where in a schema a part stands: what is only a part of an object, or of a rule, is not closed. */
interface Position {
  whole: boolean
  inRule: boolean
  /** Whether null counts as absent, here and below. */
  open: boolean
}

/** Rewrites the contract's schema into a form; `$ref`s are kept. */
export function toForm(contract: Contract, schema: Schema, form: Form): Schema {
  const walk = (node: Schema, position: Position): Schema => {
    const joined = mergeAllOf(contract, node, form)
    const open = position.open || joined['x-open'] === true
    const absent = form === 'request' && open && !position.inRule
    const merged = absent ? nullAsAbsent(contract, joined) : joined
    const result: Schema = {}
    for (const [keyword, value] of Object.entries(merged)) {
      if (annotations.has(keyword) || isBoundedInt32(keyword, merged)) continue
      if (form === 'tolerant' && lengthsAndCounts.has(keyword)) continue
      if (form === 'tolerant' && keyword === 'enum') Object.assign(result, typeOfEnum(merged))
      else result[keyword] = rewrite(keyword, value, { ...position, open })
    }
    if (form === 'request') addNonNullRequired(contract, result)
    if (form === 'exact' && position.whole && !position.inRule) close(result)
    if (result['uniqueItems']) result.items = withType(contract, result.items!)
    return branchOnType(contract, result, form)
  }
  const rewrite = (keyword: string, value: unknown, position: Position): unknown => {
    const whole = { ...position, whole: true }
    if (keyword === 'properties') {
      const properties = Object.entries(value as Record<string, Schema>)
      return Object.fromEntries(properties.map(([name, part]) => [name, walk(part, whole)]))
    }
    // A condition is about the value as it is, so nothing in it may be loosened or closed.
    if (keyword === 'if' || keyword === 'not') return value
    if (keyword === 'then' || keyword === 'else') {
      // The component itself is closed in the exact form; as a rule it only adds to what is there.
      const rule = form === 'exact' ? resolve(contract, value as Schema) : (value as Schema)
      return walk(rule, { ...position, whole: false, inRule: true })
    }
    if (keyword === 'allOf') {
      return (value as Schema[]).map((part) => walk(part, { ...position, whole: false }))
    }
    if (keyword === 'anyOf' || keyword === 'oneOf') {
      return (value as Schema[]).map((part) => (isRule(part) ? part : walk(part, whole)))
    }
    const holdsSchema = ['items', 'additionalProperties', 'propertyNames'].includes(keyword)
    return holdsSchema && typeof value === 'object' ? walk(value as Schema, whole) : value
  }
  return walk(schema, { whole: true, inRule: false, open: openSchemas(contract).has(schema) })
}

const openOnes = new WeakMap<Contract, Set<Schema>>()

/** The components that are marked `x-open`, and everything that they lead to. */
function openSchemas(contract: Contract): Set<Schema> {
  const known = openOnes.get(contract)
  if (known) return known
  const { schemas } = contract.components
  const marked = Object.keys(schemas).filter((name) => schemas[name]!['x-open'])
  const open = new Set([...reach(contract, marked)].map((name) => schemas[name]!))
  openOnes.set(contract, open)
  return open
}

/** Lets every property that may be absent be null as well. */
function nullAsAbsent(contract: Contract, schema: Schema): Schema {
  if (!schema.properties) return schema
  const properties = Object.entries(schema.properties).map(([name, part]): [string, Schema] => {
    const strict = !schema.required?.includes(name) && !acceptsNull(contract, part)
    return [name, strict ? { anyOf: [part, { type: 'null' }] } : part]
  })
  return { ...schema, properties: Object.fromEntries(properties) }
}

/**
 * Joins "the fields of X and more" into one object, so that it can be closed; only the exact form
 * needs that, the others share the compiled X.
 */
function mergeAllOf(contract: Contract, schema: Schema, form: Form): Schema {
  const refs = schema.allOf?.filter((part) => part.$ref)
  if (form !== 'exact' || !refs?.length) return schema
  const { allOf = [], ...own } = schema
  const parts = allOf.map((part) => mergeAllOf(contract, resolve(contract, part), form))
  const all: Schema[] = [...parts, own]
  const rules = [...all.flatMap((part) => part.allOf ?? []), ...parts.flatMap(rulesOf)]
  return {
    ...own,
    type: 'object',
    properties: Object.assign({}, ...all.map((part) => part.properties)) as Record<string, Schema>,
    required: [...new Set(all.flatMap((part) => part.required ?? []))],
    ...(rules.length > 0 ? { allOf: rules } : {}),
  }
}

const ruleKeywords = ['if', 'then', 'else', 'not', 'anyOf', 'oneOf', 'dependentRequired']

/** What a part says beside its fields. */
function rulesOf(part: Schema): Schema[] {
  const rules = Object.entries(part).filter(([keyword]) => ruleKeywords.includes(keyword))
  return rules.length > 0 ? [Object.fromEntries(rules)] : []
}

/** An open enum still has the type of its values. */
function typeOfEnum(schema: Schema): Schema {
  if (schema.type !== undefined) return { type: schema.type }
  return { type: [...new Set(schema.enum!.map((value) => typeof value))] as string[] }
}

function close(schema: Schema): void {
  if (schema.properties && schema.additionalProperties === undefined) {
    schema.additionalProperties = false
  }
}

/** Lists the required properties that null does not satisfy under a keyword of our own. */
function addNonNullRequired(contract: Contract, schema: Schema): void {
  const names = (schema.required ?? []).filter((name) => {
    const property = schema.properties?.[name]
    return property && !acceptsNull(contract, property)
  })
  if (names.length > 0) schema['x-non-null'] = names
}

function acceptsNull(contract: Contract, schema: Schema): boolean {
  const types = typesOf(contract, schema)
  return types === undefined || types.includes('null')
}

/** The JSON types that a schema admits, where it says so itself. */
function typesOf(contract: Contract, schema: Schema): string[] | undefined {
  const target = resolve(contract, schema)
  if (target.type !== undefined) return [target.type].flat()
  if (target.enum) return [...new Set(target.enum.map((value) => typeof value))]
  const parts = (target.anyOf ?? target.oneOf)?.map((part) => typesOf(contract, part))
  if (parts?.every((types) => types !== undefined)) return parts.flat()
  return target.allOf?.map((part) => typesOf(contract, part)).find((types) => types)
}

/**
 * Turns `anyOf` over alternatives of different types (`a string or an object`, `X or null`) into a
 * choice by type. The verdicts are the same; errors come from the alternative that was meant, and
 * no alternative is tried in vain.
 */
function branchOnType(contract: Contract, schema: Schema, form: Form): Schema {
  const alternatives = schema.anyOf
  if (!alternatives || alternatives.some(isRule)) return schema
  const types = alternatives.map((alternative) => typesOf(contract, alternative))
  const all = types.flatMap((list) => list ?? [])
  const kinds = new Set(all.map((type) => (type === 'integer' ? 'number' : type)))
  if (types.includes(undefined) || kinds.size !== all.length) return schema
  const { anyOf: _, ...rest } = schema
  const choices = alternatives.flatMap((alternative, index) =>
    checksMore(contract, alternative, form) ? types[index]!.map((type) => [type, alternative]) : [],
  )
  return { ...rest, type: all, 'x-by-type': Object.fromEntries(choices) }
}

/** Whether anything is left to check once the type is known to be right. */
function checksMore(contract: Contract, schema: Schema, form: Form): boolean {
  const ignored = form === 'tolerant' ? ['type', 'enum'] : ['type']
  return Object.keys(resolve(contract, schema)).some(
    (keyword) => !annotations.has(keyword) && !ignored.includes(keyword),
  )
}

/** Repeats the type beside a reference: by it, Ajv compares elements in linear time. */
function withType(contract: Contract, schema: Schema): Schema {
  const types = typesOf(contract, schema)
  return types ? { ...schema, type: types } : schema
}
