import { type Contract, resolve, type Schema } from '../contract/contract.ts'
import { split } from '../contract/split.ts'
import { codes } from '../contract/words.ts'
import { compare, compareInside } from './compare.ts'
import { type Comparison, type Pair, telling } from './comparison.ts'
import type { Located } from './field-conditions.ts'
import type { Change } from './finding.ts'
import { canonical, meaningOf } from './meaning.ts'
import { readNode } from './node.ts'
import { typeWords } from './words.ts'

type Side = 'before' | 'after'
type Forms = Map<string, Located[]>

/** Compares the forms to choose from; those with the same name are the same form. */
export function compareForms(comparison: Comparison, { field, before, after }: Pair): void {
  const theirs = byName(comparison.before, before.forms)
  const ours = byName(comparison.after, after.forms)
  const { gone, added, kept } = split(theirs.keys(), ours.keys())
  for (const name of kept) compare(comparison, field, [theirs.get(name)!, ours.get(name)!])
  // One that is only called otherwise is the same form.
  for (const name of gone) {
    const same = added.findIndex((other) => isSame(comparison, theirs.get(name)!, ours.get(other)!))
    if (same >= 0) added.splice(same, 1)
    else tellForm(comparison, field, 'before', name, theirs)
  }
  for (const name of added) tellForm(comparison, field, 'after', name, ours)
}

function isSame(comparison: Comparison, theirs: Located[], ours: Located[]): boolean {
  const found: Change[] = []
  compare({ ...comparison, found }, '', [theirs, ours])
  return found.length === 0
}

/** A form that only one side has. */
function tellForm(
  comparison: Comparison,
  field: string,
  side: Side,
  name: string,
  forms: Forms,
): void {
  const { at } = forms.get(name)![0]!
  if (side === 'after') telling(comparison, field)('form added', `may now be ${name}`, at)
  else telling(comparison, field)('form removed', `may no longer be ${name}`, at)
}

/**
 * Compares a value of one form with one of several: the form of its type that fits best is taken for
 * it, and the others of that type are new or gone. Those of other types show in the types.
 */
export function compareWithForms(comparison: Comparison, pair: Pair, side: Side): void {
  const contract = comparison[side]
  const { types: lone } = side === 'after' ? pair.before : pair.after
  const all = byName(contract, pair[side].forms)
  const trials = [...all]
    .filter(([, form]) => {
      const { types } = readNode(contract, form)
      return !types || !lone || [...types].some((type) => lone.has(type))
    })
    .map(([name, form]) => ({ name, found: tryForm(comparison, pair, side, form) }))
    .sort((a, b) => a.found.length - b.found.length)
  const [best, ...others] = trials
  comparison.found.push(...(best?.found ?? []))
  for (const { name } of others) tellForm(comparison, pair.field, side, name, all)
}

function tryForm(comparison: Comparison, pair: Pair, side: Side, form: Located[]): Change[] {
  const found: Change[] = []
  const key = side === 'after' ? 'ours' : 'theirs'
  const contract = comparison[side]
  const all = [...pair[key].map((one) => withoutForms(contract, one)), ...form]
  const node = readNode(contract, all)
  compareInside({ ...comparison, found }, { ...pair, [key]: all, [side]: node })
  return found
}

function withoutForms(contract: Contract, { schema, at }: Located): Located {
  const { $ref, anyOf: _, oneOf: __, ...own } = schema
  if (!$ref) return { schema: own, at }
  const target = withoutForms(contract, { schema: resolve(contract, { $ref } as Schema), at })
  return { schema: { ...target.schema, ...own }, at: $ref.slice(1) }
}

/** Forms by the name of their component, or by their type. */
function byName(contract: Contract, forms: Located[][]): Forms {
  const named: Forms = new Map()
  for (const [name, like] of Map.groupBy(forms, (form) => nameOf(contract, form))) {
    for (const form of like) {
      const own = canonical(meaningOf(form[0]!.schema))
      named.set(like.length > 1 ? `${name} like ${own}` : name, form)
    }
  }
  return named
}

function nameOf(contract: Contract, form: Located[]): string {
  const { $ref } = form[0]!.schema
  if ($ref) return `\`${$ref.split('/').pop()}\``
  const { types, formats } = readNode(contract, form)
  const format = codes([...formats])
  return `${typeWords([...(types ?? [])])}${format && ` with the format ${format}`}`
}
