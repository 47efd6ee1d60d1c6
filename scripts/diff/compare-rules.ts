import type { Contract, Schema } from '../contract/contract.ts'
import { rulesOf } from '../docs/rules.ts'
import { compare } from './compare.ts'
import { type Change, type Comparison, type Pair, telling } from './comparison.ts'
import type { Condition, Rule } from './field-conditions.ts'
import { codes } from './words.ts'

/** Compares the rules between fields: conditions by what they ask for, the others as wholes. */
export function compareRules(comparison: Comparison, pair: Pair): void {
  const { before, after, field } = pair
  const tell = telling(comparison, field)
  const surplus = (of: 'before' | 'after', other: 'before' | 'after'): RuleText[] => {
    const isNew = ({ key }: Rule | Condition, all: (Rule | Condition)[]) =>
      !all.some((one) => one.key === key)
    const rules = pair[of].rules.filter((rule) => isNew(rule, pair[other].rules))
    const conditions = pair[of].conditions.filter((one) => isNew(one, pair[other].conditions))
    return [
      ...rules.map((rule) => toRuleText(rule, wordsOf(comparison[of], rule))),
      ...conditions.map((one) => toRuleText(one, ` ${on(one.fields)}`)),
    ]
  }
  const [gone, added] = [surplus('before', 'after'), surplus('after', 'before')]
  // Where the condition is the same, what follows from it is compared like any other schema.
  for (const condition of before.conditions) {
    const other = after.conditions.find(({ key }) => key === condition.key)
    if (!other) continue
    const found: Change[] = []
    const inside = { ...comparison, found }
    compare(inside, field, [condition.then, other.then], true)
    compare(inside, field, [condition.else, other.else], true)
    for (const { kind, field: place, words, at } of found) {
      telling(comparison, place)(kind, `${words}, by the rule ${on(condition.fields)}`, at)
    }
  }
  // One that is gone and one that is new, of the same fields, are one that changed.
  for (const rule of gone) {
    const index = added.findIndex(({ fields }) => fields.some((name) => rule.fields.includes(name)))
    const other = index < 0 ? undefined : added.splice(index, 1)[0]
    if (other) tell('rule changed', `has another rule${other.words}`, other.at)
    else tell('rule removed', `has lost the rule${rule.words}`, rule.at)
  }
  for (const rule of added) tell('rule added', `has a new rule${rule.words}`, rule.at)
}

/** A rule in words: its sentence, or the fields that it speaks of. */
interface RuleText {
  fields: string[]
  words: string
  at: string
}

const toRuleText = ({ fields, at }: Rule | Condition, words: string): RuleText => ({
  fields,
  words,
  at,
})

function wordsOf(contract: Contract, { schema, fields }: Rule): string {
  const sentences = rulesOf(contract, schema as Schema)
  return sentences.length > 0 ? `: ${sentences.join(' ')}`.replace(/\.$/, '') : ` ${on(fields)}`
}

const on = (fields: string[]): string => (fields.length === 0 ? 'on it' : `on ${codes(fields)}`)
