import {
  type Contract,
  eachOperation,
  eachWebhook,
  requestSchema,
  responseSchema,
  type Schema,
} from '../contract/contract.ts'
import { errorsOf } from '../contract/error-keys.ts'
import { haveSameExample } from '../contract/same-example.ts'
import { split } from '../contract/split.ts'
import { aspectsOf } from './change-words.ts'
import { eachField, type Field, shapeOf } from './fields.ts'

/** What two versions have differently in one operation or webhook. */
export interface Difference {
  operationId?: string
  /** The path, or the webhook's name. */
  name: string
  changes: Change[]
}

/** One thing that is not the same; what only one of two versions has is left out on the other side. */
export type Change =
  | { kind: 'whole'; noun: string; older: boolean }
  | { kind: 'field'; older?: Field; newer?: Field }
  | { kind: 'error'; key: string; older: boolean }

/** An operation or a webhook as one version has it. */
interface Entry {
  noun: 'operation' | 'webhook'
  operationId?: string
  /** The fields of each body by their paths, and the keys of the errors. */
  bodies: Map<string, Field>[]
  errors: string[]
}

/** Compares two versions of the contract, of which the first is the older one. */
export function compareVersions(older: Contract, newer: Contract): Difference[] {
  const [theirs, ours] = [entriesOf(older), entriesOf(newer)]
  const all = [...new Set([...ours.keys(), ...theirs.keys()])].map((name): Difference => {
    const [left, right] = [theirs.get(name), ours.get(name)]
    const { noun, operationId } = (right ?? left) as Entry
    const changes =
      left && right
        ? compareEntries(left, right)
        : [{ kind: 'whole' as const, noun, older: left !== undefined }]
    return { ...(operationId && { operationId }), name, changes }
  })
  return all.filter(({ changes }) => changes.length > 0)
}

function entriesOf(contract: Contract): Map<string, Entry> {
  const fieldsOf = (schema: Schema, name: string) =>
    new Map(eachField(shapeOf(contract, schema, name)).map((field) => [field.path, field]))
  const operations = eachOperation(contract).map(({ path, operation }): [string, Entry] => {
    const { operationId } = operation
    const bodies = [
      fieldsOf(requestSchema(operation), 'request'),
      fieldsOf(responseSchema(contract, operation), 'response'),
    ]
    const errors = errorsOf(contract, operation).flatMap(([, keys]) => keys)
    return [path, { noun: 'operation', operationId, bodies, errors }]
  })
  const webhooks = eachWebhook(contract).map(({ name, schema }): [string, Entry] => {
    return [name, { noun: 'webhook', bodies: [fieldsOf(schema, 'body')], errors: [] }]
  })
  return new Map([...operations, ...webhooks])
}

function compareEntries(older: Entry, newer: Entry): Change[] {
  const { gone, added } = split(older.errors, newer.errors)
  return [
    ...newer.bodies.flatMap((ours, index) => compareBodies(older.bodies[index] ?? new Map(), ours)),
    ...gone.map((key): Change => ({ kind: 'error', key, older: true })),
    ...added.map((key): Change => ({ kind: 'error', key, older: false })),
  ]
}

function compareBodies(theirs: Map<string, Field>, ours: Map<string, Field>): Change[] {
  const paths = split(theirs.keys(), ours.keys())
  const gone = outermost(paths.gone.map((path) => theirs.get(path) as Field))
  const added = outermost(paths.added.map((path) => ours.get(path) as Field))
  const renamed = added.flatMap((newer) => {
    const older = gone.find((candidate) => isRenamed(newer, candidate))
    return older ? [{ older, newer }] : []
  })
  const paired = new Set(renamed.flatMap(({ older, newer }) => [older, newer]))
  const kept = paths.kept
    .map((path) => ({ older: theirs.get(path) as Field, newer: ours.get(path) as Field }))
    .filter(({ older, newer }) => aspectsOf(older, newer).length > 0)
  const changes = [
    ...renamed,
    ...gone.filter((older) => !paired.has(older)).map((older) => ({ older })),
    ...added.filter((newer) => !paired.has(newer)).map((newer) => ({ newer })),
    ...kept,
  ]
  return changes.map((change) => ({ kind: 'field', ...change }))
}

/** Without what lies inside another of them. */
const outermost = (fields: Field[]): Field[] =>
  fields.filter(({ path }) => !fields.some((other) => path.startsWith(`${other.path}.`)))

/** The same value under another name: side by side, with the same example. */
const isRenamed = (field: Field, other: Field): boolean =>
  parentOf(field.path) === parentOf(other.path) &&
  haveSameExample(field.shape.schema, other.shape.schema)

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('.'))
