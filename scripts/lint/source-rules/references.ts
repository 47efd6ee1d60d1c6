import { basename, join, normalize } from 'node:path'
import { closure } from '../../../src/contract/closure.ts'
import { contractFolder } from '../../contract/place.ts'
import {
  filesBelow,
  homeOf,
  mistake,
  type Rule,
  type Source,
  type Sources,
  type Way,
} from './shared.ts'

interface Reference {
  from: Source
  way: Way
  text: string
  file: string
  keys: string[]
}

/** The files that nothing refers to, since programs start with them. */
const isRoot = (file: string): boolean => file.endsWith('/openapi.yaml') || isOtherKind(file)

/** Documents of other kinds: their references are not to files. */
const isContract = ({ file }: Source): boolean => !isOtherKind(file)

const isOtherKind = (file: string): boolean =>
  ['versions/', 'workflows/', 'settings.yaml'].some((path) =>
    file.startsWith(`${contractFolder}/${path}`),
  )

const referencesIn = (source: Source): Reference[] =>
  source.objects.flatMap(({ way, object: { $ref } }) => {
    if (typeof $ref !== 'string') return []
    const [path = '', pointer = ''] = $ref.split('#')
    const file = path ? normalize(join(source.file, '..', path)) : source.file
    const keys = pointer.split('/').slice(1)
    return [{ from: source, way: [...way, '$ref'], text: $ref, file, keys }]
  })

/** What a reference leads to is there. */
export const brokenReferences: Rule = (sources) =>
  [...sources.values()].filter(isContract).flatMap((source) =>
    referencesIn(source).flatMap(({ way, text, file, keys }) => {
      const problem = problemOf(sources, file, keys)
      return problem ? [mistake(source, way, `\`$ref: ${text}\` leads nowhere: ${problem}`)] : []
    }),
  )

/** A reference that leads back to itself, directly or through others, describes nothing. */
export const endlessReferences: Rule = (sources) => {
  const all = [...sources.values()].filter(isContract).flatMap(referencesIn)
  const placeOf = (file: string, keys: Way): string => [file, ...keys].join('\0')
  const start = ({ from, way }: Reference): string => placeOf(from.file, way.slice(0, -1))
  const next = new Map(all.map((link) => [start(link), placeOf(link.file, link.keys)]))
  const isEndless = (link: Reference): boolean => {
    const passed = new Set<string>()
    let place = next.get(start(link))
    while (place !== undefined && place !== start(link) && !passed.has(place)) {
      passed.add(place)
      place = next.get(place)
    }
    return place === start(link)
  }
  return all.filter(isEndless).map(({ from, way, text }) => {
    const message = `\`$ref: ${text}\` leads back to itself: write the schema in its place`
    return mistake(from, way, message)
  })
}

function problemOf(sources: Sources, file: string, keys: string[]): string | undefined {
  const target = sources.get(file)
  if (!target) return `${file} is missing${nearest(sources, file)}`
  const isThere = keys.length === 0 || target.document.hasIn(keys)
  return isThere ? undefined : `${file} has no ${keys.join('/')}`
}

function nearest(sources: Sources, file: string): string {
  const same = [...sources.keys()].find((other) => basename(other) === basename(file))
  return same ? `; ${same} is there` : ''
}

/** Each file, and each example in a file of several, is a part of a document. */
export const unusedFiles: Rule = (sources) => {
  const roots = [...sources.values()].filter(({ file }) => isRoot(file))
  const links = new Map([...sources.values()].map((source) => [source.file, referencesIn(source)]))
  const used = closure(
    roots.map(({ file }) => file),
    (file) => (links.get(file) ?? []).map((link) => link.file),
  )
  const named = new Set([...links.values()].flat().map((link) => `${link.file} ${link.keys[0]}`))
  return [...sources.values()].flatMap((source) => {
    if (!used.has(source.file)) {
      return [mistake(source, [], `nothing refers to this file: ${whereToList(source.file)}`)]
    }
    if (!/\/examples\//.test(source.file)) return []
    return Object.keys(source.value as object)
      .filter((name) => !named.has(`${source.file} ${name}`))
      .map((name) => mistake(source, [name], `nothing refers to the example ${name}`))
  })
}

function whereToList(file: string): string {
  const home = homeOf(file)
  if (/\/paths\//.test(file)) return `list it under \`paths\` in ${home}/openapi.yaml, or remove it`
  if (/\/webhooks\//.test(file))
    return `list it under \`webhooks\` in ${home}/openapi.yaml, or remove it`
  return 'refer to it, or remove it'
}

/** The name of a schema, which is that of its file, stands for one thing in all folders. */
export const duplicateSchemas: Rule = (sources) => {
  const byName = Map.groupBy(filesBelow(sources, 'components/schemas'), ({ file }) =>
    basename(file).toLowerCase(),
  )
  return [...byName.values()].flatMap(([first, ...others]) =>
    others.map((source) => {
      const message = `another schema has this name: ${first!.file}; rename one of them`
      return mistake(source, [], message)
    }),
  )
}
