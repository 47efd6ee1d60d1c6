import { isRule } from '../../src/contract/published.ts'
import type { Edit } from '../../src/server/versions/difference.ts'
import type { Schema } from './contract.ts'
import { haveSameExample } from './same-example.ts'
import { split } from './split.ts'

/** What a component of an older version has differently. */
export interface Comparison {
  /** What follows from the schemas, by place in the newer component. */
  edits: Record<string, Edit>
  /** The places where a request takes a function. */
  request: string[]
  /** The places where an answer takes one. */
  response: string[]
}

/** Described for people, or known from elsewhere: a version's validators know what its rules are. */
const ignored = [
  ...['description', 'examples', 'deprecated', 'default', 'x-enumDescriptions', 'x-expected'],
  ...['x-error-code', 'if', 'then', 'else', 'not'],
]

const parts = ['allOf', 'anyOf', 'oneOf'] as const

/** Compared by a rule below; any other keyword takes a function. */
const compared = [
  ...['type', 'enum', 'const', 'properties', 'required', 'items', 'additionalProperties'],
  ...parts,
]

/** Compares what stands in the components themselves, not in those that they refer to. */
export function compareComponents(older: Schema, newer: Schema): Comparison {
  const found: Comparison = { edits: {}, request: [], response: [] }

  function edit(at: string, { values = [], ...more }: Edit): void {
    const before = found.edits[at]
    const all = [...(before?.values ?? []), ...values]
    found.edits[at] = { ...before, ...more, ...(all.length > 0 ? { values: all } : {}) }
  }

  function byHand(at: string, ...sides: ('request' | 'response')[]): void {
    for (const side of sides) if (!found[side].includes(at)) found[side].push(at)
  }

  function compareSchemas(at: string, theirs: Schema, ours: Schema): void {
    if (isAlwaysSame(theirs)) {
      const only = onlyValue(theirs)
      if (!isAlwaysSame(ours) || onlyValue(ours) !== only) edit(at, { only })
      return
    }
    const keywords = Object.keys({ ...theirs, ...ours })
    const others = keywords.filter((one) => !ignored.includes(one) && !compared.includes(one))
    compareTypes(at, theirs, ours)
    compareEnums(at, theirs, ours)
    compareFields(at, theirs, ours)
    compareParts(at, theirs, ours)
    if (others.some((one) => !isEqual(theirs[one], ours[one]))) byHand(at, 'request', 'response')
  }

  /** A text that is never null is empty instead. */
  function compareTypes(at: string, theirs: Schema, ours: Schema): void {
    const types = ({ type }: Schema) => [type ?? []].flat()
    const { gone, added } = split(types(ours), types(theirs))
    if (added.length > 0) byHand(at, 'request')
    if (gone.length === 0) return
    const isText = isEqual(types(theirs), ['string']) && !theirs.enum
    if (isEqual(gone, ['null']) && isText) edit(at, { values: [[null, '']] })
    else byHand(at, 'response')
  }

  /** One value that is missing and one that is surplus are the same by another name. */
  function compareEnums(at: string, theirs: Schema, ours: Schema): void {
    const { gone, added } = split(ours.enum ?? [], theirs.enum ?? [])
    if (gone.length === 1 && added.length === 1) edit(at, { values: [[gone[0], added[0]]] })
    else {
      if (gone.length > 0) byHand(at, 'response')
      if (added.length > 0) byHand(at, 'request')
    }
  }

  function compareFields(at: string, theirs: Schema, ours: Schema): void {
    const place = (name: string) => `${at}.${name}`.replace(/^\./, '')
    const isRequired = ({ required }: Schema, name: string) => required?.includes(name) ?? false
    const fields = theirs.properties ?? {}
    const surplus = split(Object.keys(ours.properties ?? {}), Object.keys(fields)).added
    const renamed = new Set<string>()
    for (const [name, field] of Object.entries(ours.properties ?? {})) {
      const same = surplus.find((other) => haveSameExample(field, fields[other] as Schema))
      const here = name in fields ? name : same
      const hasValue = here !== undefined && isRequired(theirs, here)
      if (isRequired(ours, name) && !hasValue) byHand(place(name), 'request')
      if (here === undefined) {
        edit(place(name), { gone: true })
        continue
      }
      if (here !== name) {
        renamed.add(here)
        edit(place(name), { name: here })
      }
      if (hasValue && !isRequired(ours, name)) byHand(place(name), 'response')
      compareSchemas(place(name), fields[here] as Schema, field)
    }
    // What a field of the older version alone means to a request, no schema says.
    for (const name of surplus.filter((one) => !renamed.has(one))) {
      const field = fields[name] as Schema
      byHand(place(name), 'request')
      if (!isRequired(theirs, name)) continue
      if (isAlwaysSame(field)) edit(place(name), { added: onlyValue(field) })
      else byHand(place(name), 'response')
    }
  }

  function compareParts(at: string, theirs: Schema, ours: Schema): void {
    const places: [string, (schema: Schema) => Schema[]][] = [
      [`${at}[]`, ({ items }) => [items ?? []].flat()],
      [`${at}.*`, ({ additionalProperties: map }) => (typeof map === 'object' ? [map] : [])],
      ...parts.map((keyword): (typeof places)[number] => [
        at,
        (schema) => (schema[keyword] ?? []).filter((part) => !isRule(part)),
      ]),
    ]
    for (const [place, read] of places) {
      const [left, right] = [read(theirs), read(ours)]
      if (left.length !== right.length) byHand(place, 'request', 'response')
      else left.forEach((part, index) => void compareSchemas(place, part, right[index] as Schema))
    }
  }

  compareSchemas('', older, newer)
  return found
}

const isEqual = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

/** `x-always` says what we answer, where the schema says more for those who read it. */
const isAlwaysSame = (schema: Schema): boolean =>
  'const' in schema || 'x-always' in schema || schema.type === 'null'

const onlyValue = (schema: Schema): unknown => schema['const'] ?? schema['x-always'] ?? null
