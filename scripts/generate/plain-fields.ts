import { currentVersion, readBundle, type Schema } from '../contract/contract.ts'
import { ofClients } from '../contract/undated.ts'
import { declare, writeSource } from './source.ts'

/**
 * Writes the names of fields whose values tell nothing about a person, wherever they stand. A field
 * that is free text or a number in one place is not among them, nor is one that nobody has described.
 */
export function plainFields(): void {
  const all = [currentVersion, ...ofClients].map((name) => {
    const { schemas } = readBundle(name).components
    return { schemas: Object.values(schemas), named: schemas }
  })
  const list = plainNames(all).map((field) => `  ${JSON.stringify(field)},\n`)
  writeSource('plain-fields.ts', 'generate/plain-fields.ts', [
    declare(
      'Fields whose values tell nothing about a person: enums, switches, times and ids of objects.',
      `const plainFields: readonly string[] = [\n${list.join('')}]`,
    ).trimEnd(),
  ])
}

/** Schemas, and the components that they refer to by name. */
interface Family {
  schemas: readonly Schema[]
  named: Record<string, Schema>
}

/** The names of fields that are plain wherever they stand in some schemas. */
export function plainNames(families: readonly Family[]): string[] {
  const places = new Map<string, boolean[]>()
  for (const { schemas, named } of families) {
    const visit = (schema: Schema): void => {
      for (const [field, value] of Object.entries(schema.properties ?? {})) {
        const isPlainHere = isPlain(value, named)
        if (isPlainHere !== undefined)
          places.set(field, [...(places.get(field) ?? []), isPlainHere])
      }
      for (const part of partsOf(schema)) visit(part)
    }
    for (const schema of schemas) visit(schema)
  }
  const plain = [...places].filter(([, found]) => found.every(Boolean)).map(([field]) => field)
  return plain.sort()
}

function partsOf(schema: Schema): Schema[] {
  const { properties = {}, items, allOf = [], anyOf = [], oneOf = [] } = schema
  const { additionalProperties: rest } = schema
  const others = [items, typeof rest === 'object' ? rest : undefined]
  return [
    ...Object.values(properties),
    ...others.filter((part) => part !== undefined),
    ...[allOf, anyOf, oneOf].flat(),
  ]
}

/** Undefined for objects, whose own fields are looked at. */
function isPlain(schema: Schema, named: Record<string, Schema>): boolean | undefined {
  if (schema.$ref) {
    const target = named[schema.$ref.split('/').at(-1) ?? '']
    return target ? isPlain(target, named) : false
  }
  if (schema.enum || 'const' in schema) return true
  const choices = [schema.allOf, schema.anyOf, schema.oneOf].flatMap((list) => list ?? [])
  const types = [schema.type ?? []].flat().filter((type) => type !== 'null')
  if (choices.length > 0 && types.length === 0) return all(choices, named)
  if (types.length === 0) return schema.type === 'null' ? undefined : false
  if (types.every((type) => type === 'object')) return undefined
  if (types.every((type) => type === 'array')) return isPlain(schema.items ?? {}, named)
  if (types.every((type) => type === 'boolean')) return true
  const isTold = schema['format'] === 'date-time' || schema['pattern'] === codePattern
  return types.every((type) => type === 'string') && isTold
}

/** Of names that the contract gives, where a newer one may come. */
const codePattern = '^[A-Z_]+$'

function all(choices: readonly Schema[], named: Record<string, Schema>): boolean | undefined {
  const found = choices.map((one) => isPlain(one, named)).filter((one) => one !== undefined)
  return found.length === 0 ? undefined : found.every(Boolean)
}
