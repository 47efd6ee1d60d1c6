import { type Contract, resolve, type Schema } from '../contract/contract.ts'
import { compare, compareInside } from './compare.ts'
import { type Change, type Comparison, note, type Pair } from './comparison.ts'
import { canonical, meaningOf } from './meaning.ts'
import { readNode } from './node.ts'
import type { Located } from './rules.ts'
import { codes, typeWords } from './words.ts'

/** Compares the forms to choose from; those with the same name are the same form. */
export function compareForms(comparison: Comparison, { field, before, after }: Pair): void {
  const theirs = byName(comparison.before, before.forms)
  const ours = byName(comparison.after, after.forms)
  for (const [name, form] of theirs) {
    const other = ours.get(name)
    if (other) compare(comparison, field, [form, other])
    else note(comparison, 'form removed', field, `may no longer be ${name}`, form[0]!.at)
  }
  for (const [name, form] of ours) {
    if (!theirs.has(name)) note(comparison, 'form added', field, `may now be ${name}`, form[0]!.at)
  }
}

/**
 * Compares a value of one form with one of several: the form of its type that fits best is taken for
 * it, and the others of that type are new or gone. Those of other types show in the types.
 */
export function compareWithForms(
  comparison: Comparison,
  pair: Pair,
  side: 'before' | 'after',
): void {
  const contract = comparison[side]
  const lone = side === 'after' ? pair.before : pair.after
  const forms = [...byName(contract, pair[side].forms)].filter(([, form]) => {
    const { types } = readNode(contract, form)
    return !types || !lone.types || [...types].some((type) => lone.types!.has(type))
  })
  const trials = forms.map(([name, form]) => ({
    name,
    form,
    found: tryForm(comparison, pair, side, form),
  }))
  trials.sort((a, b) => a.found.length - b.found.length)
  const [best, ...others] = trials
  comparison.found.push(...(best?.found ?? []))
  for (const { name, form } of others) {
    if (side === 'after')
      note(comparison, 'form added', pair.field, `may now be ${name}`, form[0]!.at)
    else note(comparison, 'form removed', pair.field, `may no longer be ${name}`, form[0]!.at)
  }
}

function tryForm(
  comparison: Comparison,
  pair: Pair,
  side: 'before' | 'after',
  form: Located[],
): Change[] {
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
function byName(contract: Contract, forms: Located[][]): Map<string, Located[]> {
  const named = new Map<string, Located[]>()
  for (const form of forms) {
    const { schema } = form[0]!
    const name = schema.$ref ? `\`${schema.$ref.split('/').pop()}\`` : wordsOf(contract, form)
    const isTaken = named.has(name)
    named.set(isTaken ? `${name} like ${canonical(meaningOf(schema))}` : name, form)
  }
  return named
}

function wordsOf(contract: Contract, form: Located[]): string {
  const { types, formats } = readNode(contract, form)
  const format = codes([...formats])
  return `${typeWords([...(types ?? [])])}${format && ` with the format ${format}`}`
}
