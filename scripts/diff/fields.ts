import { compare } from './compare.ts'
import { below, type Comparison, note, type Pair, placeOf } from './comparison.ts'
import { canonical } from './meaning.ts'
import type { Node } from './node.ts'
import type { Located } from './rules.ts'

/** Compares the fields of an object. */
export function compareFields(comparison: Comparison, pair: Pair): void {
  const { field, before, after, isRule } = pair
  const names = new Set([...before.fields.keys(), ...after.fields.keys()])
  const renamed = isRule ? new Map<string, string>() : renamedFields(before, after)
  for (const name of names) {
    const [theirs, ours] = [before.fields.get(name) ?? [], after.fields.get(name) ?? []]
    const place = below(field, name)
    // A rule that says nothing about a field accepts everything there.
    const both = (theirs.length > 0 && ours.length > 0) || isRule
    if (both) compare(comparison, place, [theirs, ours], isRule)
    else if (ours.length > 0) addField(comparison, place, after, name)
    else removeField(comparison, place, before, name, renamed.get(name))
  }
  compareRequired(comparison, pair)
}

function addField(comparison: Comparison, place: string, after: Node, name: string): void {
  const at = after.fields.get(name)![0]!.at
  const isRequired = comparison.direction === 'request' && after.required.has(name)
  if (isRequired) note(comparison, 'required field added', place, 'is new and required', at)
  else note(comparison, 'field added', place, 'is new', at)
}

function removeField(
  comparison: Comparison,
  place: string,
  before: Node,
  name: string,
  newName: string | undefined,
): void {
  const words = newName ? `is gone; it seems to be called \`${newName}\` now` : 'is gone'
  note(comparison, 'field removed', place, words, before.fields.get(name)![0]!.at)
}

/** The fields that are gone, each with a new one that means the same. */
function renamedFields(before: Node, after: Node): Map<string, string> {
  const form = (all: Located[]) => canonical(all.map(({ schema }) => schema))
  const added = [...after.fields].filter(([name]) => !before.fields.has(name))
  return new Map(
    [...before.fields]
      .filter(([name]) => !after.fields.has(name))
      .flatMap(([name, theirs]) => {
        const same = added.filter(([, ours]) => form(ours) === form(theirs))
        return same.length === 1 ? [[name, same[0]![0]] as const] : []
      }),
  )
}

function compareRequired(comparison: Comparison, pair: Pair): void {
  const { field, before, after, isRule } = pair
  const isRequest = comparison.direction === 'request'
  const stays = (name: string) => isRule || (before.fields.has(name) && after.fields.has(name))
  for (const name of after.required) {
    if (before.required.has(name) || !stays(name)) continue
    const words = isRequest ? 'is now required' : 'is now always there'
    note(comparison, 'field became required', below(field, name), words, placeOf(pair, 'required'))
  }
  for (const name of before.required) {
    if (after.required.has(name) || !stays(name)) continue
    const words = isRequest ? 'is no longer required' : 'is no longer always there'
    note(comparison, 'field became optional', below(field, name), words, placeOf(pair, 'required'))
  }
}
