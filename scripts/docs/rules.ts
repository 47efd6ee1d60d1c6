import { isRule } from '../../src/contract/published.ts'
import { type Contract, resolve, type Schema } from '../contract/contract.ts'
import { code, codes, join } from '../contract/words.ts'

/** The rules between the fields of a schema, a sentence for each. */
export function rulesOf(contract: Contract, schema: Schema): string[] {
  const target = schema.$ref ? rulesOf(contract, resolve(contract, { $ref: schema.$ref })) : []
  const parts = (schema.allOf ?? []).flatMap((part) => rulesOf(contract, part))
  return [...new Set([...target, ...parts, ...ownRules(schema)])]
}

function ownRules(schema: Schema): string[] {
  const choices = [
    ...choice(schema.oneOf, 'Exactly one of', 'is given'),
    ...choice(schema.anyOf, 'At least one of', 'is given'),
  ]
  return [...choices, ...exclusions(schema), ...dependencies(schema), ...conditions(schema)]
}

function choice(parts: Schema[] | undefined, words: string, verb: string): string[] {
  if (!parts?.every((part) => isRule(part) && part.required)) return []
  const groups = parts.map((part) => codes(part.required!))
  return [`${words} ${join(groups, 'and')} ${verb}.`]
}

function exclusions({ not }: Schema): string[] {
  const names = not && isRule(not) ? not.required : undefined
  if (!names) return []
  if (names.length === 1) return [`${code(names[0]!)} is never given.`]
  return [`${codes(names)} are not given together.`]
}

function dependencies(schema: Schema): string[] {
  const entries = Object.entries((schema['dependentRequired'] ?? {}) as Record<string, string[]>)
  return entries.map(([name, others]) => {
    return `If ${code(name)} is given, so ${isOrAre(others)} ${codes(others)}.`
  })
}

const isOrAre = (names: string[]): string => (names.length === 1 ? 'is' : 'are')

/** `if … then … else …`; a rule without words here is explained by the fields' descriptions. */
function conditions(schema: Schema): string[] {
  const condition = schema.if ? sentence(claims(schema.if)) : ''
  if (condition === '') return []
  return [
    ...consequence(`If ${condition}`, schema.then),
    ...consequence(`Unless ${condition}`, schema.else),
  ]
}

function consequence(condition: string, part: Schema | undefined): string[] {
  if (!part) return []
  const words = sentence([...claims(part), ...absences(part.not)])
  return words === '' ? [] : [`${condition}, ${words}.`]
}

/** That a field is something: `is null`, `is set`. */
interface Claim {
  name: string
  words: string
}

const absences = (not: Schema | undefined): Claim[] =>
  not?.required && isRule(not) ? not.required.map((name) => ({ name, words: 'is absent' })) : []

/** What a part of a rule requires of each property. */
function claims(part: Schema, place = ''): Claim[] {
  const properties = Object.entries(part.properties ?? {})
  const named = properties.flatMap(([name, property]) => {
    return claimsOf(property, `${place}${name}`, part.required?.includes(name) ?? false)
  })
  const others = (part.required ?? []).filter((name) => !part.properties?.[name])
  return [...named, ...others.map((name) => ({ name: place + name, words: 'is given' }))]
}

function claimsOf(property: Schema, name: string, required: boolean): Claim[] {
  if (property.properties) return claims(property, `${name}.`)
  const words = predicate(property) ?? (required ? 'is given' : undefined)
  return words ? [{ name, words }] : []
}

/** Joins the claims; fields with the same claim share one clause. */
function sentence(all: Claim[]): string {
  const groups = Map.groupBy(all, (claim) => claim.words)
  const clauses = [...groups].map(([words, group]) => {
    const names = codes(group.map(({ name }) => name))
    return `${names} ${group.length > 1 ? words.replace(/^is/, 'are') : words}`
  })
  return join(clauses, 'and')
}

function predicate(property: Schema): string | undefined {
  if (property.enum) return `is ${codes(property.enum, 'or')}`
  if (property.not?.enum) return `is not ${codes(property.not.enum, 'or')}`
  if (property['x-expected']) return `is ${String(property['x-expected'])}`
  if (property['maxItems'] === 0 || property['maxLength'] === 0) return 'is empty'
  if (property.type === 'null') return 'is null'
  return property.type === undefined ? undefined : 'is set'
}
