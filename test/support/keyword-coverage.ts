import type { ErrorObject } from 'ajv'
import type { Schema } from '../../scripts/contract/contract.ts'

type Schemas = Record<string, Schema>

// Keywords that can be the reason of an error by themselves. A `then` is seen by what it holds, and
// what stands in conditions and in the parts of rules is no reason.
const checked = [
  'enum',
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'additionalProperties',
  'oneOf',
  'anyOf',
  'not',
]

const named = ['required', 'x-non-null']
const places = new WeakMap<Schema, string>()

/** Lists every check that the components lead to, as `<place> <keyword>`. */
export function checksIn(
  document: { components: { schemas: Schemas } },
  names: string[],
): Set<string> {
  const all = new Set<string>()
  const seen = new Set<Schema>()
  const visit = (schema: Schema, place: string, typed = false): void => {
    if (schema.$ref) {
      const name = schema.$ref.split('/').pop()!
      visit(document.components.schemas[name]!, name, typed)
    }
    // An alternative that was chosen by its type cannot be of another.
    if (schema.type && !typed) all.add(`${place} type`)
    if (seen.has(schema)) return
    seen.add(schema)
    places.set(schema, place)
    for (const keyword of checked) if (canFail(schema, keyword)) all.add(`${place} ${keyword}`)
    for (const keyword of named) {
      for (const name of (schema[keyword] ?? []) as string[]) all.add(`${place} ${keyword} ${name}`)
    }
    for (const [key, part] of partsOf(schema))
      visit(part, `${place}/${key}`, key.startsWith('x-by'))
  }
  for (const name of names) visit(document.components.schemas[name]!, name)
  return all
}

function canFail(schema: Schema, keyword: string): boolean {
  const value = schema[keyword]
  if (value === undefined || (keyword === 'additionalProperties' && value !== false)) return false
  return !(keyword.startsWith('min') && value === 0 && keyword !== 'minimum')
}

function partsOf(schema: Schema): [string, Schema][] {
  const many = ['properties', 'x-by-type', 'allOf'] as const
  const one = ['items', 'additionalProperties', 'propertyNames', 'then', 'else'] as const
  const ofMany = many.flatMap((keyword) => {
    const parts = Object.entries((schema[keyword] ?? {}) as Schemas)
    return parts.map(([key, part]): [string, Schema] => [`${keyword}/${key}`, part])
  })
  const ofOne = one.map((keyword): [string, unknown] => [keyword, schema[keyword]])
  const schemas = ofOne.filter((entry): entry is [string, Schema] => typeof entry[1] === 'object')
  return [...ofMany, ...schemas]
}

/** The checks that errors of a verbose Ajv come from; `checksIn` must have seen the document. */
export const reasons = (errors: readonly ErrorObject[]): string[] =>
  errors.map(({ keyword, parentSchema, params }) => {
    const place = places.get(parentSchema as Schema) ?? '?'
    return named.includes(keyword)
      ? `${place} ${keyword} ${params['missingProperty']}`
      : `${place} ${keyword}`
  })
