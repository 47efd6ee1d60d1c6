import type { Schema } from '../contract/contract.ts'
import { split } from '../contract/split.ts'
import { type Change, type Contracts, wholeChange } from './finding.ts'
import { canonical, meaningOf } from './meaning.ts'

const pointer = '/components/schemas'

/** Compares the names of the components, which are names of types in clients. */
export function compareTypeNames({ before, after }: Contracts): Change[] {
  const [theirs, ours] = [before.components.schemas, after.components.schemas]
  const { gone, added } = split(Object.keys(theirs), Object.keys(ours))
  const others = [...gone, ...added]
  return gone.map((name) => {
    const form = formOf(theirs[name]!, others)
    const same = added.filter((other) => formOf(ours[other]!, others) === form)
    const [other] = same
    if (same.length !== 1 || !other) {
      return wholeChange('type removed', '', `the type \`${name}\` is gone`, `${pointer}/${name}`)
    }
    const words = `the type \`${name}\` is called \`${other}\` now`
    return wholeChange('type renamed', '', words, `${pointer}/${other}`)
  })
}

/** What a schema means, whatever the types that changed their names are called. */
function formOf(schema: Schema, names: string[]): string {
  const changed = new Set(names.map((name) => `#${pointer}/${name}`))
  const text = canonical(meaningOf(schema))
  return text.replaceAll(/#\/components\/schemas\/\w+/g, (link) => (changed.has(link) ? '#' : link))
}
