import type { Hint, Hints } from '../src/validators/issues.ts'
import { type Contract, resolve, type Schema } from './contract.ts'
import { isRule } from './schema-forms.ts'

/** Collects, by path, the words and codes that the contract has for what it refuses in a request. */
export function collectHints(contract: Contract, name: string): Hints {
  const hints: Hints = {}
  const visit = (schema: Schema, path: string): void => {
    const target = resolve(contract, schema)
    // What stands beside a `$ref` is nearer than what stands at its target.
    const hint = { ...hintOf(target), ...(target === schema ? {} : hintOf(schema)) }
    if (Object.keys(hint).length > 0) hints[path] = { ...hints[path], ...hint }
    const below = (key: string) => (path === '' ? key : `${path}.${key}`)
    for (const [key, property] of Object.entries(target.properties ?? {})) {
      visit(property, below(key))
    }
    for (const [rule, name, expected] of stricter(target)) {
      const hint = hints[below(name)]
      hints[below(name)] = { ...hint, rules: { ...hint?.rules, [rule]: expected } }
    }
    if (target.items) visit(target.items, `${path}[]`)
    if (typeof target.additionalProperties === 'object') {
      visit(target.additionalProperties, below('*'))
    }
    for (const part of alternatives(target)) visit(part, path)
  }
  visit({ $ref: `#/components/schemas/${name}` }, '')
  return hints
}

/** The words that rules have for a property: the rule's place, the property, the words. */
function stricter(schema: Schema): [rule: string, name: string, expected: string][] {
  const parts = (schema.allOf ?? []).map((part, index) => [`allOf/${index}/`, part] as const)
  return [['', schema] as const, ...parts].flatMap(([place, part]) =>
    (['then', 'else'] as const).flatMap((branch) => {
      const properties = Object.entries(part[branch]?.properties ?? {})
      return properties.flatMap(([name, property]): [string, string, string][] => {
        const expected = property['x-expected']
        return expected ? [[`${place}${branch}`, name, String(expected)]] : []
      })
    }),
  )
}

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
