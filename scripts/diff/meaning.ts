import { type Contract, linksOf, type Schema } from '../contract/contract.ts'

/** Written for people: programs cannot rely on it. */
const texts = new Set(['description', 'summary', 'title', 'x-expected', 'x-enumDescriptions'])
const samples = new Set(['example', 'examples', 'tags', 'externalDocs'])

/** A part of a contract without texts and examples: what is left, programs can rely on. */
export function meaningOf<T>(value: T, within = ''): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((part) => meaningOf(part, within)) as T
  // Fields may be called like keywords; the names of fields are no keywords.
  const names = within === 'properties'
  const entries = Object.entries(value).filter(
    ([key, part]) => names || !(texts.has(key) || samples.has(key) || isVacuous(key, part)),
  )
  return Object.fromEntries(
    entries.map(([key, part]) => [key, meaningOf(part, names ? '' : key)]),
  ) as T
}

/** Whether a keyword accepts every value, as if it were not there. */
const isVacuous = (keyword: string, value: unknown): boolean =>
  keyword === 'unevaluatedProperties' && (value === true || canonical(value) === '{}')

/** A text that two values share when they mean the same; the order of keys means nothing. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part) => {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}

/** The names of the schemas that mean something else than before, or lead to one that does. */
export function changedSchemas(before: Contract, after: Contract): Set<string> {
  const [theirs, ours] = [before.components.schemas, after.components.schemas]
  const names = [...new Set([...Object.keys(theirs), ...Object.keys(ours)])]
  const links = new Map(
    names.map((name) => [name, [...linksOf(theirs[name]), ...linksOf(ours[name])]]),
  )
  const changed = new Set(names.filter((name) => !isSame(theirs[name], ours[name])))
  let size = -1
  while (size !== changed.size) {
    size = changed.size
    for (const [name, all] of links) if (all.some((link) => changed.has(link))) changed.add(name)
  }
  return changed
}

const isSame = (one: Schema | undefined, other: Schema | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other) ||
  canonical(meaningOf(one ?? null)) === canonical(meaningOf(other ?? null))

/** The keys of two objects that mean something else; extensions (`x-`) are left out. */
export function changedKeys(before: object = {}, after: object = {}): string[] {
  const [old, now] = [meaningOf(before), meaningOf(after)] as Record<string, unknown>[]
  return Object.keys({ ...old, ...now }).filter(
    (key) => !key.startsWith('x-') && canonical(old?.[key]) !== canonical(now?.[key]),
  )
}
