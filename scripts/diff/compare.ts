import { linksOf } from '../contract/contract.ts'
import { compareRules } from './compare-rules.ts'
import type { Comparison, Pair } from './comparison.ts'
import { compareFacets, compareTypes } from './constraints.ts'
import type { Located } from './field-conditions.ts'
import { compareFields } from './fields.ts'
import { compareForms, compareWithForms } from './forms.ts'
import { canonical, meaningOf } from './meaning.ts'
import { readNode } from './node.ts'

/** Compares what stands at one place of a body before and after. */
export function compare(
  comparison: Comparison,
  field: string,
  [theirs, ours]: [Located[], Located[]],
  isRule = false,
): void {
  if (isUnchanged(comparison, theirs, ours)) return
  const key = `${theirs.map(({ at }) => at)} ${ours.map(({ at }) => at)}`
  if (comparison.open.has(key)) return
  comparison.open.add(key)
  comparePair(comparison, {
    field,
    theirs,
    ours,
    before: readNode(comparison.before, theirs),
    after: readNode(comparison.after, ours),
    isRule,
  })
  comparison.open.delete(key)
}

function isUnchanged({ changed }: Comparison, theirs: Located[], ours: Located[]): boolean {
  const [old, now] = [theirs, ours].map((all) => {
    return canonical(all.map(({ schema }) => meaningOf(schema)))
  })
  return old === now && !linksOf(ours.map(({ schema }) => schema)).some((name) => changed.has(name))
}

function comparePair(comparison: Comparison, pair: Pair): void {
  const isOther = compareTypes(comparison, pair)
  if (isOther) return
  const [theirs, ours] = [pair.before.forms.length, pair.after.forms.length]
  if (theirs === 0 && ours > 0) compareWithForms(comparison, pair, 'after')
  else if (theirs > 0 && ours === 0) compareWithForms(comparison, pair, 'before')
  else compareInside(comparison, pair)
}

/** Compares two readings whose types are compared already. */
export function compareInside(comparison: Comparison, pair: Pair): void {
  compareFacets(comparison, pair)
  compareFields(comparison, pair)
  compareParts(comparison, pair)
  compareForms(comparison, pair)
  compareRules(comparison, pair)
}

function compareParts(comparison: Comparison, { field, before, after, isRule }: Pair): void {
  const parts = [
    [`${field}[]`, before.items, after.items],
    [`${field}.*`, before.map, after.map],
    [`each name in ${field || 'the body'}`, before.names, after.names],
  ] as const
  for (const [place, theirs, ours] of parts) {
    if (theirs.length + ours.length > 0) compare(comparison, place, [theirs, ours], isRule)
  }
}
