import { isRule } from '../../src/contract/published.ts'
import { maximumListed } from '../../src/validators/issues.ts'
import { type Contract, resolve, type Schema } from '../contract/contract.ts'
import { join } from '../contract/words.ts'

/** Objects deeper inside are named without what they must hold. */
const deepest = 2

/** What belongs in a place: its values, or what its object must hold. Undefined where neither is said. */
export function formOf(contract: Contract, schema: Schema, depth = 0): string | undefined {
  const target = resolve(contract, schema)
  if (target.enum) return valuesOf(schema, target.enum)
  const types = [target.type].flat()
  if (types.includes('array') && target.items) {
    const each = formOf(contract, target.items, depth)
    return each === undefined ? 'an array' : `an array, in which each element is ${each}`
  }
  const others = (target.anyOf ?? []).filter((part) => !isRule(part) && part.type !== 'null')
  if (others.length === 1 && others[0]) return formOf(contract, others[0], depth)
  if (!types.includes('object') || depth > deepest) return undefined
  const names = (target.required ?? []).map((name) => {
    const form = formOf(contract, target.properties?.[name] ?? {}, depth + 1)
    return form === undefined ? `\`${name}\`` : `\`${name}\` (${form})`
  })
  const parts = [...names, ...choiceOf(target)]
  return parts.length === 0 ? undefined : `an object with ${join(parts, 'and')}`
}

/** The words of the place win: they can say what a value needs beside it. */
function valuesOf(schema: Schema, values: readonly unknown[]): string | undefined {
  if (schema['x-expected']) return String(schema['x-expected'])
  return values.length > maximumListed ? undefined : `one of: ${values.join(', ')}`
}

/** The fields of which one is given, whatever else an object holds. */
function choiceOf({ oneOf, anyOf }: Schema): string[] {
  const rules = (oneOf ?? anyOf ?? []).filter(isRule)
  const names = rules.flatMap(({ required }) => required ?? [])
  if (names.length === 0) return []
  return [`one of ${names.map((name) => `\`${name}\``).join(', ')}`]
}

/** The names of all properties that a schema or one of its rules requires. */
export function requiredNames(schema: Schema): string[] {
  const rules = [schema, ...(schema.allOf ?? [])]
  const branches = rules.flatMap(({ then, else: other }) => [then, other])
  return [...rules, ...branches].flatMap((part) => part?.required ?? [])
}
