import type { Schema } from '../../scripts/contract/contract.ts'

/** Changes a schema in place, or does nothing where it does not apply. */
type RandomEdit = (schema: Schema, pick: <T>(all: T[]) => T) => void

/** Changes an upper bound, but never to less than the lower one. */
const scales =
  (keyword: string, factor: number): RandomEdit =>
  (schema) => {
    const value = schema[keyword]
    const least = Number(schema[keyword.replace('max', 'min')] ?? 1)
    if (typeof value === 'number') schema[keyword] = Math.max(least, Math.floor(value * factor))
  }

const drops =
  (...keywords: string[]): RandomEdit =>
  (schema) => {
    for (const keyword of keywords) delete schema[keyword]
  }

const without = <T>(all: T[], one: T): T[] => all.filter((item) => item !== one)

const fieldsOf = ({ type, properties }: Schema): string[] =>
  type === 'object' ? Object.keys(properties ?? {}) : []

/** Edits as people make them, each of one schema. */
export const randomEdits: Record<string, RandomEdit> = {
  'a field is no longer required': (schema, pick) => {
    if (schema.required?.length) schema.required = without(schema.required, pick(schema.required))
  },
  'a field becomes required': (schema, pick) => {
    const names = fieldsOf(schema).filter((name) => !schema.required?.includes(name))
    if (names.length > 0) schema.required = [...(schema.required ?? []), pick(names)]
  },
  'a field goes': (schema, pick) => {
    const names = fieldsOf(schema)
    if (names.length === 0) return
    const name = pick(names)
    delete schema.properties![name]
    if (schema.required) schema.required = without(schema.required, name)
  },
  'a field comes': (schema) => {
    if (fieldsOf(schema).length > 0) schema.properties!['brand_new'] = { type: 'string' }
  },
  'null comes': (schema) => {
    if (typeof schema.type === 'string') schema.type = [schema.type, 'null']
    else if (schema.$ref) {
      schema.anyOf = [{ $ref: schema.$ref }, { type: 'null' }]
      delete schema.$ref
    }
  },
  'null goes': (schema) => {
    if (Array.isArray(schema.type)) schema.type = schema.type.filter((type) => type !== 'null')
    if (schema.anyOf) schema.anyOf = schema.anyOf.filter(({ type }) => type !== 'null')
  },
  'a form goes': (schema, pick) => {
    if ((schema.anyOf?.length ?? 0) > 1) schema.anyOf = without(schema.anyOf!, pick(schema.anyOf!))
  },
  'a value goes': (schema, pick) => {
    if ((schema.enum?.length ?? 0) > 1) schema.enum = without(schema.enum!, pick(schema.enum!))
  },
  'a value comes': (schema) => {
    if (typeof schema.enum?.[0] === 'string') schema.enum.push('brand_new')
  },
  'a text or a number': (schema) => {
    if (schema.type === 'string') schema.type = ['string', 'integer']
  },
  'decimals come': (schema) => {
    if (schema.type === 'integer') schema.type = 'number'
  },
  'decimals go': (schema) => {
    if (schema.type === 'number') schema.type = 'integer'
  },
  'a lower maximum': scales('maximum', 0.25),
  'a higher maximum': scales('maximum', 4),
  'shorter texts': scales('maxLength', 0.25),
  'fewer items': scales('maxItems', 0.25),
  'no minimum': drops('minimum', 'minLength', 'minItems'),
  'no pattern, no format': drops('pattern', 'format'),
  'a pattern': (schema) => {
    if (schema.type === 'string') schema['pattern'] = '^[a-m]'
  },
  'no condition': drops('if', 'then', 'else'),
  'no exclusion': drops('not'),
  'one part less': (schema, pick) => {
    if (schema.allOf?.length) schema.allOf = without(schema.allOf, pick(schema.allOf))
    if (schema.allOf?.length === 0) delete schema.allOf
  },
  'an exclusion': (schema) => {
    const names = fieldsOf(schema).slice(-2)
    if (names.length === 2) schema.not = { required: names }
  },
  'unknown fields are taken': drops('additionalProperties'),
}

/** A schema and those that stand in it. */
export function schemasIn(schema: Schema): Schema[] {
  const { properties = {}, items, allOf = [], anyOf = [], then, additionalProperties: map } = schema
  const parts = [...Object.values(properties), ...allOf, ...anyOf, items, then, map]
  const below = parts.filter((part): part is Schema => typeof part === 'object')
  return [schema, ...below.flatMap(schemasIn)]
}
