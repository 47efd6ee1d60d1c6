import { type Hints, join, type Place, suggest } from './issues.ts'

/** A field that an open request does not know. */
export interface IgnoredField {
  path: string
  /** The path of the field that was probably meant. */
  suggestion?: string
}

/** More are not told of one value, nor looked for. */
const maximumIgnored = 20

/** The fields of an open request that it does not know, with the fields that were probably meant. */
export function ignoredIn(value: unknown, hints: Hints): IgnoredField[] {
  const ignored: IgnoredField[] = []
  const visit = (node: unknown, { path, template }: Place): void => {
    if (typeof node !== 'object' || node === null) return
    const { fields } = hints[template] ?? {}
    for (const [key, member] of Object.entries(node)) {
      if (ignored.length >= maximumIgnored) return
      if (Array.isArray(node)) visit(member, { path: `${path}[${key}]`, template: `${template}[]` })
      else if (fields?.includes(key)) {
        visit(member, { path: join(path, key), template: join(template, key) })
      } else if (fields) {
        const suggestion = suggest(key, { path, template }, hints)
        ignored.push({ path: join(path, key), ...(suggestion === undefined ? {} : { suggestion }) })
      }
    }
  }
  visit(value, { path: '', template: '' })
  return ignored
}
