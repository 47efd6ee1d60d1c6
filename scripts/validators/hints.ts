import { isRule } from '../../src/contract/published.ts'
import { type Hint, type Hints, maximumListed } from '../../src/validators/issues.ts'
import {
  type Contract,
  eachOperation,
  requestSchema,
  resolve,
  type Schema,
} from '../contract/contract.ts'
import { join } from '../contract/words.ts'
import { formOf, requiredNames } from './required-forms.ts'

/** Collects, by path, the words and codes of the contract for what is rejected in a request. */
export function collectHints(contract: Contract, name: string): Hints {
  const hints: Hints = {}
  const isOpen = contract.components.schemas[name]?.['x-open'] === true
  const reference = referenceOf(contract, name)
  const visit = (schema: Schema, path: string): void => {
    const target = resolve(contract, schema)
    // What stands beside a `$ref` is nearer than what stands at its target.
    const hint = { ...hintOf(target), ...(target === schema ? {} : hintOf(schema)) }
    if (Object.keys(hint).length > 0) hints[path] = { ...hints[path], ...hint }
    if (reference !== undefined && (target.enum?.length ?? 0) > maximumListed) {
      hints[path] = { ...hints[path], reference }
    }
    const below = (key: string) => (path === '' ? key : `${path}.${key}`)
    const own = Object.keys(target.properties ?? {})
    // Objects that take other keys are told by their form, unless the request ignores these.
    if (own.length > 0 && (target.additionalProperties === false || isOpen)) {
      hints[path] = { ...hints[path], fields: [...(hints[path]?.fields ?? []), ...own] }
    }
    const required = requiredNames(target)
    for (const [key, property] of Object.entries(target.properties ?? {})) {
      visit(property, below(key))
      const form = formOf(contract, property)
      if (form !== undefined && (required.includes(key) || form.startsWith('an object'))) {
        hints[below(key)] = { ...hints[below(key)], form }
      }
    }
    for (const [rule, name, expected] of stricter(target)) {
      const hint = hints[below(name)]
      hints[below(name)] = { ...hint, rules: { ...hint?.rules, [rule]: expected } }
    }
    for (const [rule, name, when] of dependent(contract, target)) {
      const hint = hints[below(name)]
      hints[below(name)] = { ...hint, when: { ...hint?.when, [rule]: when } }
    }
    const absent = Object.fromEntries(forbidden(target))
    if (Object.keys(absent).length > 0) hints[path] = { ...hints[path], absent }
    if (target.items) visit(target.items, `${path}[]`)
    if (typeof target.additionalProperties === 'object') {
      visit(target.additionalProperties, below('*'))
    }
    for (const part of alternatives(target)) visit(part, path)
  }
  visit({ $ref: `#/components/schemas/${name}` }, '')
  if (isOpen) hints[''] = { ...hints[''], open: true }
  return hints
}

/** The page of the docs on the operation that takes a body. */
function referenceOf(contract: Contract, name: string): string | undefined {
  const found = eachOperation(contract).find(({ operation }) => {
    return requestSchema(operation).$ref === `#/components/schemas/${name}`
  })
  const url = found?.operation.externalDocs?.url
  return url && new URL(url).pathname
}

/** A schema and the rules beside it, each with its location. */
function rulesOf(schema: Schema): [place: string, rule: Schema][] {
  const parts = (schema.allOf ?? []).map((part, index): [string, Schema] => [
    `allOf/${index}/`,
    part,
  ])
  return [['', schema], ...parts]
}

/** The words that rules have for a property: the rule's location, the property, the words. */
function stricter(schema: Schema): [rule: string, name: string, expected: string][] {
  return rulesOf(schema).flatMap(([place, part]) =>
    (['then', 'else'] as const).flatMap((branch) => {
      const properties = Object.entries(part[branch]?.properties ?? {})
      return properties.flatMap(([name, property]): [string, string, string][] => {
        const expected = property['x-expected']
        return expected ? [[`${place}${branch}`, name, String(expected)]] : []
      })
    }),
  )
}

/** The values that a rule leaves to a property: the rule's location, the property, what it depends on. */
function dependent(
  contract: Contract,
  schema: Schema,
): [rule: string, name: string, when: string[]][] {
  const shared = schema.then?.$ref ? rulesOf(resolve(contract, schema.then)) : []
  return [...rulesOf(schema), ...shared].flatMap(([place, { if: condition, then }]) => {
    const conditions = Object.entries(condition?.properties ?? {})
    const when = conditions.flatMap(([name, { enum: values }]) => (values ? [name] : []))
    const left = Object.entries(then?.properties ?? {}).filter(([, { enum: values, anyOf }]) => {
      return values ?? anyOf?.some((part) => part.enum)
    })
    if (when.length === 0) return []
    return left.map(([name]): [string, string, string[]] => [`${place}then`, name, when])
  })
}

/** The property that a rule forbids: the rule's location, the property, the condition. */
function forbidden(schema: Schema): [rule: string, absent: [name: string, where: string]][] {
  return rulesOf(schema).flatMap(([place, { if: condition, then }]) => {
    const [name, ...others] = requiredOnly(then?.not ?? {})
    if (!condition || name === undefined || others.length > 0) return []
    return [[`${place}then`, [name, whereOf(condition)]]]
  })
}

/** A condition in words, as in "`network` is rtp or wire". */
const whereOf = ({ properties = {} }: Schema): string =>
  Object.entries(properties)
    .map(
      ([name, { enum: values, type }]) =>
        `\`${name}\` is ${join((values ?? [type].flat()).map(String), 'or')}`,
    )
    .join(' and ')

const alternatives = (schema: Schema): Schema[] =>
  [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].filter(
    (part) => !isRule(part) || part.not || part.oneOf || part.anyOf,
  )

function hintOf(schema: Schema): Hint {
  const hint: Hint = {}
  if (schema['x-expected']) hint.expected = String(schema['x-expected'])
  const names = schema.propertyNames?.['x-expected']
  if (names) hint.names = String(names)
  if (schema['x-error-code']) {
    // On an object the code is that of a member that is missing; elsewhere that of a wrong value.
    hint[schema.properties ? 'missing' : 'code'] = String(schema['x-error-code'])
  }
  const rules = schema.oneOf ?? schema.anyOf ?? []
  const fields = rules.flatMap(requiredOnly)
  if (fields.length > 0) hint.oneOf = fields
  const ruleCode = rules.find((part) => isRule(part) && part['x-error-code'])
  if (ruleCode) hint.rule = String(ruleCode['x-error-code'])
  const not = requiredOnly(schema.not ?? {})
  if (not.length > 0) hint.not = [not]
  return hint
}

const requiredOnly = (part: Schema): string[] => (isRule(part) ? (part.required ?? []) : [])
