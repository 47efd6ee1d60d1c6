import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { root } from '../../scripts/contract/contract.ts'

/** What the facts say about one field; `test/contract/interface-facts.yaml` explains the keys. */
export interface FieldFact {
  type?: string | string[]
  required?: boolean
  nullable?: boolean
  values?: Values
  format?: string
  accepts?: unknown[]
  refuses?: unknown[]
  extra?: boolean
  absent?: string
  shape?: string
  may?: Record<string, unknown>
  unsettled?: string[]
  [aspect: string]: unknown
}

export type Values = string | unknown[] | { values: unknown[]; later: unknown[] }
export type FieldLines = Record<string, FieldFact | 'gone'>
export type Fields = Map<string, FieldFact>

/** A change to a body that is accepted. */
export interface Change {
  code?: string
  with?: Record<string, unknown>
  without?: string[]
}

export interface Rules {
  base: Record<string, unknown>
  full?: Record<string, unknown>
  at_root?: Record<string, unknown>
  not_derived?: string[]
  accepts?: Record<string, Change>
  refuses?: Record<string, Change>
}

/** How often an operation may be called in a minute; `shared` names those that count together. */
export interface Limit {
  per_item?: number
  per_report?: number
  per_client: number
  shared?: string[]
}

/** How a list goes on: the names of the fields that carry it. */
export interface Pages {
  style: string
  request: string
  response?: string
  limit?: string
  total?: string
  has_more?: string
  items: string[]
}

export interface OperationFacts {
  path: string
  media: string[]
  closed: boolean
  request: FieldLines
  response: FieldLines
  errors: string[]
  errors_may?: string[]
  limits: Record<string, Limit>
  pages?: Pages
  retry_safe: boolean
  rules: Rules
}

export interface ObjectFacts extends Rules {
  where: string[]
}

export interface WebhookFacts extends Rules {
  payload: FieldLines
}

interface VersionFacts {
  shapes?: Record<string, FieldLines>
  operations?: Record<string, Partial<OperationFacts>>
  objects?: Record<string, ObjectFacts>
}

export interface Facts extends Required<Omit<VersionFacts, 'operations'>> {
  lists: Record<string, Values>
  catalogue: Record<string, Record<string, unknown[]>>
  catalogue_may: string[]
  error_groups: Record<string, unknown[]>
  names: FieldLines
  authentication: Record<string, string>
  operations: Record<string, OperationFacts>
  statuses: string[]
  error_bodies: { data: FieldLines; oauth: FieldLines }
  webhooks: Record<string, WebhookFacts>
  versions: Record<string, VersionFacts>
}

export const factsText = readFileSync(join(root, 'test/contract/interface-facts.yaml'), 'utf8')

export const facts = parse(factsText, { merge: true, maxAliasCount: -1 }) as Facts

/** The newest version that the requirement describes; the facts know nothing of later ones. */
export const newestStated = '2020-09-14'

/** The versions that the requirement describes. */
export const statedVersions = [...Object.keys(facts.versions), newestStated].sort()

/** The facts as they are for a version: those of the current one, with what differs put in. */
export function factsOf(version: string): Facts {
  const own = facts.versions[version]
  if (!own) return facts
  const operations = mapEntries(facts.operations, (id, operation) => {
    const change = own.operations?.[id] ?? {}
    return {
      ...operation,
      ...change,
      request: { ...operation.request, ...change.request },
      response: { ...operation.response, ...change.response },
    }
  })
  const shapes = mapEntries(facts.shapes, (name, lines) => ({ ...lines, ...own.shapes?.[name] }))
  return { ...facts, shapes, operations, objects: own.objects ?? {} }
}

const mapEntries = <T>(map: Record<string, T>, change: (key: string, value: T) => T) =>
  Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(key, value)]))

/** The fields of what the service gives: as `expand`, with what holds for every field of a name. */
export function expandAnswer(from: Facts, lines: FieldLines): Fields {
  const fields = expand(from, lines)
  for (const [path, fact] of fields) {
    const name = from.names[path.split('.').pop()!]
    if (!name || name === 'gone') continue
    fields.set(path, { ...name, ...fact, may: { ...name.may, ...fact.may } })
  }
  return fields
}

/** Puts the fields of the shapes in their places. */
export function expand(from: Facts, lines: FieldLines, at = '$', into: Fields = new Map()): Fields {
  const gone: string[] = []
  for (const [key, line] of Object.entries(lines)) {
    const path = key === '$' ? at : at === '$' ? key : `${at}.${key}`
    if (line === 'gone') {
      gone.push(path)
      continue
    }
    if (line.shape) expand(from, from.shapes[line.shape]!, path, into)
    if (path !== '$' && key !== '$') into.set(path, { ...into.get(path), ...line })
  }
  for (const path of into.keys()) {
    if (
      gone.some(
        (name) => path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[`),
      )
    ) {
      into.delete(path)
    }
  }
  return into
}

/** The values of a closed list, and those that may be there as well. */
export function valuesOf(values: Values): { values: unknown[]; later: unknown[] } {
  const list = typeof values === 'string' ? facts.lists[values] : values
  if (list === undefined) throw new Error(`the facts have no list ${String(values)}`)
  if (typeof list === 'string') return valuesOf(list)
  if (Array.isArray(list)) return { values: list.flat(), later: [] }
  return { values: list.values.flat(), later: list.later.flat() }
}

/** The errors of a list of codes and groups, each as `TYPE.CODE.STATUS`. */
export function errorsOf(names: string[] = []): string[] {
  return names.flatMap((name) => {
    const codes = name.includes('.') ? [name] : (facts.error_groups[name] ?? []).flat().map(String)
    if (codes.length === 0) throw new Error(`the facts have no group ${name}`)
    return codes.map((code) => (/\.\d{3}$/.test(code) ? code : `${code}.400`))
  })
}

/** Every error of the interface as `TYPE.CODE.STATUS`. */
export const catalogue: string[] = Object.entries(facts.catalogue).flatMap(([type, statuses]) =>
  Object.entries(statuses).flatMap(([status, codes]) =>
    codes.flat().map((code) => `${type}.${String(code)}.${status}`),
  ),
)
