import type { Edit } from '../../src/server/versions/difference.ts'
import type { Schema } from './contract.ts'
import { haveSameExample } from './same-example.ts'
import { isRule } from './schema-forms.ts'

/** What a component of an older version has differently. */
export interface Comparison {
  /** What follows from the schemas, by place in the newer component. */
  edits: Record<string, Edit>
  /** The places where a request takes a function. */
  request: string[]
  /** The places where an answer takes one. */
  response: string[]
}

/** Two schemas of the same place. */
interface Pair {
  at: string
  older: Schema
  newer: Schema
}

/** Compares what stands in the components themselves, not in those that they refer to. */
export function compareComponents(older: Schema, newer: Schema): Comparison {
  const found: Comparison = { edits: {}, request: [], response: [] }
  compareSchemas(found, { at: '', older, newer })
  return found
}

/** Said for people, or told by other means: a version's validators know what its rules are. */
const ignored = new Set([
  ...['description', 'examples', 'deprecated', 'default', 'x-enumDescriptions', 'x-expected'],
  ...['x-error-code', 'if', 'then', 'else', 'not'],
])

const compared = new Set([
  ...['$ref', 'type', 'enum', 'const', 'properties', 'required', 'items', 'additionalProperties'],
  ...['allOf', 'anyOf', 'oneOf'],
])

function compareSchemas(found: Comparison, pair: Pair): void {
  const { at, older, newer } = pair
  if (isAlwaysSame(older)) {
    const only = onlyValue(older)
    const same = isAlwaysSame(newer) && onlyValue(newer) === only
    if (!same) edit(found, at, { only })
    return
  }
  if (older.$ref !== newer.$ref) byHand(found, at)
  compareTypes(found, pair)
  compareEnums(found, pair)
  compareFields(found, pair)
  compareParts(found, pair)
  const keywords = new Set([...Object.keys(older), ...Object.keys(newer)])
  const others = [...keywords].filter((keyword) => !ignored.has(keyword) && !compared.has(keyword))
  if (others.some((keyword) => !isEqual(older[keyword], newer[keyword]))) byHand(found, at)
}

const isEqual = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

/** `x-always` says what we answer, where the schema says more for those who read it. */
const isAlwaysSame = (schema: Schema): boolean =>
  'const' in schema || 'x-always' in schema || schema.type === 'null'
const onlyValue = (schema: Schema): unknown => schema['const'] ?? schema['x-always'] ?? null

function edit(found: Comparison, at: string, more: Edit): void {
  const before = found.edits[at]
  const values = [...(before?.values ?? []), ...(more.values ?? [])]
  found.edits[at] = { ...before, ...more, ...(values.length > 0 ? { values } : {}) }
}

type Side = 'request' | 'response'

function byHand(
  found: Comparison,
  at: string,
  sides: readonly Side[] = ['request', 'response'],
): void {
  for (const side of sides) if (!found[side].includes(at)) found[side].push(at)
}

const without = <Item>(all: readonly Item[], others: readonly Item[]): Item[] =>
  all.filter((item) => !others.includes(item))

/** A text that is never null is empty instead. */
function compareTypes(found: Comparison, { at, older, newer }: Pair): void {
  const [ours, theirs] = [newer, older].map(({ type }) => [type ?? []].flat()) as [
    string[],
    string[],
  ]
  const [gone, added] = [without(ours, theirs), without(theirs, ours)]
  if (added.length > 0) byHand(found, at, ['request'])
  if (gone.length === 0) return
  if (isEqual(gone, ['null']) && isEqual(theirs, ['string']) && !older.enum) {
    edit(found, at, { values: [[null, '']] })
  } else byHand(found, at, ['response'])
}

/** One value that is missing and one that is surplus are the same by another name. */
function compareEnums(found: Comparison, { at, older, newer }: Pair): void {
  const [gone, added] = [
    without(newer.enum ?? [], older.enum ?? []),
    without(older.enum ?? [], newer.enum ?? []),
  ]
  if (gone.length === 1 && added.length === 1) {
    edit(found, at, { values: [[gone[0], added[0]]] })
    return
  }
  if (gone.length > 0) byHand(found, at, ['response'])
  if (added.length > 0) byHand(found, at, ['request'])
}

function compareFields(found: Comparison, { at, older, newer }: Pair): void {
  const [ours, theirs] = [newer.properties ?? {}, older.properties ?? {}]
  const place = (name: string) => `${at}.${name}`.replace(/^\./, '')
  const isRequired = (schema: Schema, name: string) => schema.required?.includes(name) ?? false
  const surplus = without(Object.keys(theirs), Object.keys(ours))
  for (const [name, field] of Object.entries(ours)) {
    const twin = surplus.find((other) => haveSameExample(field, theirs[other] as Schema))
    const here = name in theirs ? name : twin
    const needsValue = isRequired(newer, name) && !(here && isRequired(older, here))
    if (needsValue) byHand(found, place(name), ['request'])
    if (!here) {
      edit(found, place(name), { gone: true })
      continue
    }
    if (here !== name) edit(found, place(name), { name: here })
    const lacksValue = isRequired(older, here) && !isRequired(newer, name)
    if (lacksValue) byHand(found, place(name), ['response'])
    compareSchemas(found, { at: place(name), older: theirs[here] as Schema, newer: field })
  }
  const renamed = Object.values(found.edits).map((one) => one.name)
  for (const name of surplus.filter((one) => !renamed.includes(one))) {
    addField(found, place(name), theirs[name] as Schema, isRequired(older, name))
  }
}

/** A field of the older version alone: what it means to a request, no schema says. */
function addField(found: Comparison, at: string, schema: Schema, required: boolean): void {
  byHand(found, at, ['request'])
  if (!required) return
  if (isAlwaysSame(schema)) edit(found, at, { added: onlyValue(schema) })
  else byHand(found, at, ['response'])
}

function compareParts(found: Comparison, { at, older, newer }: Pair): void {
  const parts: [string, Schema[], Schema[]][] = [
    [`${at}[]`, [older.items ?? []].flat(), [newer.items ?? []].flat()],
    [`${at}.*`, mapValues(older), mapValues(newer)],
    ...(['allOf', 'anyOf', 'oneOf'] as const).map((keyword): [string, Schema[], Schema[]] => {
      const partsOf = (schema: Schema) => (schema[keyword] ?? []).filter((part) => !isRule(part))
      return [at, partsOf(older), partsOf(newer)]
    }),
  ]
  for (const [place, theirs, ours] of parts) {
    if (theirs.length !== ours.length) byHand(found, place)
    else
      theirs.forEach((part, index) => {
        compareSchemas(found, { at: place, older: part, newer: ours[index] as Schema })
      })
  }
}

const mapValues = ({ additionalProperties: map }: Schema): Schema[] =>
  typeof map === 'object' ? [map] : []
