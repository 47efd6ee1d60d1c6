import { type Contract, resolve, type Schema } from '../../scripts/contract.ts'
import { isRule } from '../../scripts/schema-forms.ts'
import { flatten } from './generate-instances.ts'

export type Path = (string | number)[]

/** A value in an instance, and what it is held against. */
export interface Place {
  path: Path
  schema: Schema
  value: unknown
}

/** Every value in an instance; of each list, the first two elements. */
export function places(
  contract: Contract,
  schema: Schema,
  value: unknown,
  path: Path = [],
): Place[] {
  const own = { path, schema, value }
  if (typeof value !== 'object' || value === null) return [own]
  const meant = settle(contract, schema, value)
  if (Array.isArray(value)) {
    const firsts = value.slice(0, 2)
    const below = firsts.flatMap((v, i) => places(contract, meant.items ?? {}, v, [...path, i]))
    return [own, ...below]
  }
  const below = Object.entries(value).flatMap(([key, part]) => {
    const property = meant.properties?.[key] ?? meant.additionalProperties
    return typeof property === 'object' ? places(contract, property, part, [...path, key]) : []
  })
  return [own, ...below]
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
