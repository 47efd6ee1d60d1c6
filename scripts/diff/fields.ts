import { split } from '../contract/split.ts'
import { compare } from './compare.ts'
import { below, type Comparison, type Pair, placeOf, telling } from './comparison.ts'
import { canonical } from './meaning.ts'
import type { Node } from './node.ts'

/** Compares the fields of an object. */
export function compareFields(comparison: Comparison, pair: Pair): void {
  const { field, before, after, isRule } = pair
  const isRequest = comparison.direction === 'request'
  const renamed = isRule ? undefined : renamedFields(before, after)
  for (const name of new Set([...before.fields.keys(), ...after.fields.keys()])) {
    const [theirs, ours] = [before.fields.get(name) ?? [], after.fields.get(name) ?? []]
    const place = below(field, name)
    const tell = telling(comparison, place)
    // A rule that says nothing about a field accepts everything there.
    if ((theirs[0] && ours[0]) || isRule) compare(comparison, place, [theirs, ours], isRule)
    else if (theirs[0]) {
      const newName = renamed?.get(name)
      const words = newName ? `is gone; it seems to be called \`${newName}\` now` : 'is gone'
      tell('field removed', words, theirs[0].at)
    } else if (isRequest && after.required.has(name)) {
      tell('required field added', 'is new and required', ours[0]!.at)
    } else tell('field added', 'is new', ours[0]!.at)
  }
  const { gone, added } = split(before.required, after.required)
  const stays = (name: string) => isRule || (before.fields.has(name) && after.fields.has(name))
  const words = isRequest ? 'required' : 'always there'
  const at = placeOf(pair, 'required')
  for (const name of added.filter(stays)) {
    telling(comparison, below(field, name))('field became required', `is now ${words}`, at)
  }
  for (const name of gone.filter(stays)) {
    telling(comparison, below(field, name))('field became optional', `is no longer ${words}`, at)
  }
}

/** The fields that are gone, each with a new one that means the same. */
function renamedFields(before: Node, after: Node): Map<string, string> {
  const { gone, added } = split(before.fields.keys(), after.fields.keys())
  const form = ({ fields }: Node, name: string) =>
    canonical(fields.get(name)?.map(({ schema }) => schema))
  return new Map(
    gone.flatMap((name) => {
      const same = added.filter((other) => form(after, other) === form(before, name))
      return same.length === 1 ? [[name, same[0]!] as const] : []
    }),
  )
}
