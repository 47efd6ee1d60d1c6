import type { Contract } from '../contract/contract.ts'
import { codes } from '../contract/words.ts'
import { rulesOf } from '../docs/rules.ts'
import { compare } from './compare.ts'
import { type Comparison, type Pair, telling } from './comparison.ts'
import type { Condition, Rule } from './field-conditions.ts'
import type { Change } from './finding.ts'
import { type Node, readNode } from './node.ts'
import { tableOf } from './rule-tables.ts'

/** Compares the rules between fields: conditions by what they ask for, the others as wholes. */
export function compareRules(comparison: Comparison, { field, ...pair }: Pair): void {
  const before = { ...pair.before, conditions: shared(comparison.after, pair.before, pair.after) }
  const after = { ...pair.after, conditions: shared(comparison.before, pair.after, pair.before) }
  if (tableOfNode(before) === tableOfNode(after)) return
  const tell = telling(comparison, field)
  // Where the condition is the same, what follows from it is compared like any other schema.
  for (const condition of before.conditions) {
    const other = after.conditions.find(({ key }) => key === condition.key)
    if (!other) continue
    const found: Change[] = []
    const inside = { ...comparison, found }
    compare(inside, field, [condition.then, other.then], true)
    compare(inside, field, [condition.else, other.else], true)
    const rule = `, by the rule ${on(condition.fields)}`
    comparison.found.push(...found.map((one) => ({ ...one, words: one.words + rule })))
  }
  const gone = surplus(comparison.before, before, after)
  const added = surplus(comparison.after, after, before)
  // One that is gone and one that is new, of the same fields, are one that changed.
  for (const rule of gone) {
    const index = added.findIndex(({ fields }) => fields.some((name) => rule.fields.includes(name)))
    const other = index < 0 ? undefined : added.splice(index, 1)[0]
    if (other) tell('rule changed', `has another rule${other.words}`, other.at)
    else tell('rule removed', `has lost the rule${rule.words}`, rule.at)
  }
  for (const rule of added) tell('rule added', `has a new rule${rule.words}`, rule.at)
}

/** The conditions of a node, but for values that the other one does not have: those are told as values. */
const shared = (contract: Contract, own: Node, other: Node): Condition[] =>
  own.conditions.filter(({ asked }) => {
    const values = asked && readNode(contract, other.fields.get(asked.field) ?? []).values
    return !values || values.has(asked.value)
  })

/** What all rules of a node accept together, however they are divided. */
const tableOfNode = ({ rules, conditions }: Node): string =>
  tableOf([...rules.map(({ schema }) => schema), ...conditions.flatMap((one) => one.rules)])

/** The rules that only the first has, in words: a sentence, or the fields that they speak of. */
function surplus(contract: Contract, own: Node, other: Node) {
  const isNewTo =
    (all: readonly { key: string }[]) =>
    ({ key }: { key: string }) =>
      !all.some((one) => one.key === key)
  return [
    ...own.rules
      .filter(isNewTo(other.rules))
      .map((rule) => ({ ...rule, words: wordsOf(contract, rule) })),
    ...own.conditions
      .filter(isNewTo(other.conditions))
      .map((one) => ({ ...one, words: ` ${on(one.fields)}` })),
  ]
}

function wordsOf(contract: Contract, { schema, fields }: Rule): string {
  const sentences = rulesOf(contract, schema)
  return sentences.length > 0 ? `: ${sentences.join(' ')}`.replace(/\.$/, '') : ` ${on(fields)}`
}

const on = (fields: string[]): string => (fields.length === 0 ? 'on it' : `on ${codes(fields)}`)
