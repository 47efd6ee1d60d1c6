import { type Hints, join, type Place, suggest } from './issues.ts'

/** A field that an open request does not know. */
export interface IgnoredField {
  path: string
  /** The path of the field that was probably meant. */
  suggestion?: string
}

/** More are not told of one value, nor looked for. */
const maximumIgnored = 20
/** Of an array that is longer, the further elements are not looked at: it may have any length. */
const maximumElements = 1000

/** The fields of an open request that it does not know, with the fields that were probably meant. */
export function ignoredIn(value: unknown, hints: Hints): IgnoredField[] {
  const ignored: IgnoredField[] = []
  const visit = (node: unknown, { path, template }: Place): void => {
    if (typeof node !== 'object' || node === null) return
    if (Array.isArray(node)) {
      const element = `${template}[]`
      if (!hints[element]?.fields) return
      for (const [at, member] of node.slice(0, maximumElements).entries()) {
        visit(member, { path: `${path}[${at}]`, template: element })
      }
      return
    }
    const { fields } = hints[template] ?? {}
    if (!fields) return
    for (const key in node) {
      if (ignored.length >= maximumIgnored) return
      if (fields.includes(key)) {
        const member = (node as Record<string, unknown>)[key]
        visit(member, { path: join(path, key), template: join(template, key) })
      } else {
        const suggestion = suggest(key, { path, template }, hints)
        ignored.push({ path: join(path, key), ...(suggestion === undefined ? {} : { suggestion }) })
      }
    }
  }
  visit(value, { path: '', template: '' })
  return ignored
}
