import type { Contract, Schema } from '../contract/contract.ts'
import { rulesOf } from '../docs/rules.ts'
import { compare } from './compare.ts'
import { type Change, type Comparison, note, type Pair } from './comparison.ts'
import type { Condition, Rule } from './rules.ts'
import { codes } from './words.ts'

/** Compares the rules between fields: conditions by what they ask for, the others as wholes. */
export function compareRules(comparison: Comparison, pair: Pair): void {
  const { before, after } = pair
  const gone: Told[] = []
  const added: Told[] = []
  const surplus = <T extends Rule | Condition>(all: T[], others: T[]) =>
    all.filter(({ key }) => !others.some((other) => other.key === key))
  for (const rule of surplus(before.rules, after.rules)) gone.push(told(comparison.before, rule))
  for (const rule of surplus(after.rules, before.rules)) added.push(told(comparison.after, rule))
  for (const one of surplus(before.conditions, after.conditions)) gone.push(toldCondition(one))
  for (const one of surplus(after.conditions, before.conditions)) added.push(toldCondition(one))
  compareConditions(comparison, pair)
  pairUp(comparison, pair.field, gone, added)
}

/** A rule in words: its sentence, or the fields that it speaks of. */
interface Told {
  fields: string[]
  words: string
  at: string
}

function told(contract: Contract, { schema, fields, at }: Rule): Told {
  const sentences = rulesOf(contract, schema as Schema)
  const words = sentences.length > 0 ? `: ${sentences.join(' ')}` : ` ${on(fields)}`
  return { fields, words: words.replace(/\.$/, ''), at }
}

const toldCondition = ({ fields, at }: Condition): Told => ({ fields, words: ` ${on(fields)}`, at })

const on = (fields: string[]): string => (fields.length === 0 ? 'on it' : `on ${codes(fields)}`)

/** One that is gone and one that is new, of the same fields, are one that changed. */
function pairUp(comparison: Comparison, field: string, gone: Told[], added: Told[]): void {
  const left = [...added]
  for (const rule of gone) {
    const index = left.findIndex((other) => other.fields.some((name) => rule.fields.includes(name)))
    const other = index < 0 ? undefined : left.splice(index, 1)[0]
    if (other) note(comparison, 'rule changed', field, `has another rule${other.words}`, other.at)
    else note(comparison, 'rule removed', field, `has lost the rule${rule.words}`, rule.at)
  }
  for (const rule of left)
    note(comparison, 'rule added', field, `has a new rule${rule.words}`, rule.at)
}

/** Where the condition is the same, what follows from it is compared like any other schema. */
function compareConditions(comparison: Comparison, { field, before, after }: Pair): void {
  for (const condition of before.conditions) {
    const other = after.conditions.find(({ key }) => key === condition.key)
    if (!other) continue
    const found: Change[] = []
    const inside = { ...comparison, found }
    compare(inside, field, [condition.then, other.then], true)
    compare(inside, field, [condition.else, other.else], true)
    for (const { kind, field: place, words, at } of found) {
      note(comparison, kind, place, `${words}, by the rule ${on(condition.fields)}`, at)
    }
  }
}
