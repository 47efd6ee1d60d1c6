import { type Contract, resolve, type Schema } from '../contract/document.ts'
import { flatten } from '../contract/flatten.ts'
import { isRule } from '../contract/published.ts'

export type Path = (string | number)[]

/** A value in an instance, and what it is held against. */
export interface Place {
  path: Path
  schema: Schema
  value: unknown
  /** Whether a rule further up may judge the value by what stands beside it. */
  ruled: boolean
}

/** Every value in an instance; of each list, the first two elements. */
export const places = (contract: Contract, schema: Schema, value: unknown): Place[] =>
  placesBelow(contract, { path: [], schema, value, rules: [] })

interface Node extends Omit<Place, 'ruled'> {
  /** The rules further up that reach down to here. */
  rules: Rule[]
}

function placesBelow(contract: Contract, { rules, ...node }: Node): Place[] {
  const { schema, value, path } = node
  const own = { ...node, ruled: rules.length > 0 }
  if (typeof value !== 'object' || value === null) return [own]
  const meant = settle(contract, schema, value)
  const all = [...rules, ...rulesOf(contract, schema)]
  const isList = Array.isArray(value)
  const parts = isList ? Object.entries(value.slice(0, 2)) : Object.entries(value)
  const below = parts.flatMap(([name, part]) => {
    const property = isList
      ? (meant.items ?? {})
      : (meant.properties?.[name] ?? meant.additionalProperties)
    if (typeof property !== 'object') return []
    const key = isList ? Number(name) : name
    const reaching = all.filter((reaches) => reaches(key))
    return placesBelow(contract, {
      path: [...path, key],
      schema: property,
      value: part,
      rules: reaching,
    })
  })
  return [own, ...below]
}

/** Whether a rule says something of a field, or below it; it does so of every element or of none. */
type Rule = (key: string | number) => boolean

const everywhere: Rule = () => true

const rulesOfFields = ['if', 'then', 'else', 'not', 'dependentRequired', 'dependentSchemas']

/** What a schema says of a value beyond what it says of each of its parts alone. */
function rulesOf(contract: Contract, schema: Schema): Rule[] {
  const target = resolve(contract, schema)
  const { oneOf = [], anyOf = [], allOf = [] } = target
  const alternatives = [...oneOf, ...anyOf].filter((part) => !isRule(part))
  const types = alternatives.flatMap((part) => resolve(contract, part).type ?? 'any')
  const isOpen = types.includes('any') || new Set(types).size < types.length
  if (isOpen || target['uniqueItems']) return [everywhere]
  const ofFields = rulesOfFields.flatMap((keyword) => target[keyword] ?? [])
  const own = [...[...oneOf, ...anyOf].filter(isRule), ...ofFields]
  const words = JSON.stringify(own)
  if (words.includes('"$ref"')) return [everywhere]
  const rule: Rule = (key) => typeof key === 'number' || words.includes(JSON.stringify(key))
  const further = [...alternatives, ...allOf].flatMap((part) => rulesOf(contract, part))
  return own.length > 0 ? [rule, ...further] : further
}

/** The schema behind references, with the alternative that is meant for a value of this type. */
export function settle(contract: Contract, schema: Schema, value: unknown): Schema {
  const target = flatten(contract, resolve(contract, schema))
  const alternatives = (target.anyOf ?? []).filter((part) => !isRule(part))
  const settled = alternatives.map((part) => settle(contract, part, value))
  return settled.find((part) => [part.type].flat().includes(typeOf(value))) ?? settled[0] ?? target
}

export const typeOf = (value: unknown): string => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}

/** A value that the contract itself gives for a schema; null only if there is no other. */
export function exampleOf(contract: Contract, schema: Schema): unknown {
  const target = flatten(contract, resolve(contract, schema))
  const given = [...(schema.examples ?? []), ...(target.examples ?? []), ...(target.enum ?? [])]
  const telling = given.find((value) => value != null)
  if (telling !== undefined) return telling
  const alternative = target.anyOf?.find((part) => !isRule(part))
  return alternative ? exampleOf(contract, alternative) : null
}

/** Replaces one value; copies only what lies on the way. */
export function replace(value: unknown, [key, ...rest]: Path, replacement: unknown): unknown {
  if (key === undefined) return replacement
  const below = replace((value as Record<string | number, unknown>)[key], rest, replacement)
  if (Array.isArray(value)) return value.with(key as number, below)
  return { ...(value as object), [key]: below }
}

interface Filling {
  draw: (schema: Schema) => unknown[]
  isValid: (value: unknown) => boolean
}

/** Fills what an instance leaves out or null, as far as it stays valid. */
export function fill(
  contract: Contract,
  schema: Schema,
  instance: unknown,
  { draw, isValid }: Filling,
): unknown {
  let filled = instance
  // What was filled in has places of its own, so one round more for each level.
  for (let level = 0; level < 5; level++) {
    for (const { path, schema: own, value } of places(contract, schema, filled)) {
      if (typeOf(value) !== 'object') continue
      const { properties = {} } = settle(contract, own, value)
      for (const [name, part] of Object.entries(properties)) {
        if ((value as Record<string, unknown>)[name] != null) continue
        const candidates = [exampleOf(contract, part), ...draw(part)].filter((held) => held != null)
        const copies = [...candidates, null].map((held) => replace(filled, [...path, name], held))
        filled = copies.find((copy) => isValid(copy)) ?? filled
      }
    }
  }
  return filled
}
