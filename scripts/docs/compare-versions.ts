import {
  type Contract,
  eachOperation,
  eachWebhook,
  type OperationObject,
  requestSchema,
  responseSchema,
  type Schema,
} from '../contract/contract.ts'
import { errorsOf } from '../contract/error-keys.ts'
import { haveSameExample } from '../contract/same-example.ts'
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

/** Compares two versions of the contract, of which the first is the older one. */
export function compareVersions(older: Contract, newer: Contract): Difference[] {
  const all = [...ofOperations(older, newer), ...ofWebhooks(older, newer)]
  return all.filter(({ changes }) => changes.length > 0)
}

function ofOperations(older: Contract, newer: Contract): Difference[] {
  const theirs = new Map(eachOperation(older).map(({ path, operation }) => [path, operation]))
  const ours = new Map(eachOperation(newer).map(({ path, operation }) => [path, operation]))
  return [...new Set([...ours.keys(), ...theirs.keys()])].map((name) => {
    const [left, right] = [theirs.get(name), ours.get(name)]
    const changes =
      left && right ? ofOperation([older, left], [newer, right]) : onlyOne('operation', left)
    return { operationId: (right ?? left)?.operationId as string, name, changes }
  })
}

const onlyOne = (noun: string, older: unknown): Change[] => [
  { kind: 'whole', noun, older: older !== undefined },
]

type Side = [contract: Contract, operation: OperationObject]

function ofOperation(older: Side, newer: Side): Change[] {
  const requests = [older, newer].map(([contract, operation]) =>
    fieldsOf(contract, requestSchema(operation), 'request'),
  )
  const responses = [older, newer].map(([contract, operation]) =>
    fieldsOf(contract, responseSchema(contract, operation), 'response'),
  )
  return [
    ...ofBodies(requests as [Fields, Fields]),
    ...ofBodies(responses as [Fields, Fields]),
    ...ofErrors(older, newer),
  ]
}

function ofWebhooks(older: Contract, newer: Contract): Difference[] {
  const theirs = new Map(eachWebhook(older).map(({ name, schema }) => [name, schema]))
  const ours = new Map(eachWebhook(newer).map(({ name, schema }) => [name, schema]))
  return [...new Set([...ours.keys(), ...theirs.keys()])].map((name) => {
    const [left, right] = [theirs.get(name), ours.get(name)]
    if (!left || !right) return { name, changes: onlyOne('webhook', left) }
    const bodies: [Fields, Fields] = [fieldsOf(older, left, 'body'), fieldsOf(newer, right, 'body')]
    return { name, changes: ofBodies(bodies) }
  })
}

function ofErrors(older: Side, newer: Side): Change[] {
  const [theirs, ours] = [older, newer].map(([contract, operation]) => {
    return errorsOf(contract, operation).flatMap(([, keys]) => keys)
  }) as [string[], string[]]
  return [
    ...without(theirs, ours).map((key): Change => ({ kind: 'error', key, older: true })),
    ...without(ours, theirs).map((key): Change => ({ kind: 'error', key, older: false })),
  ]
}

const without = (all: string[], others: string[]): string[] =>
  all.filter((item) => !others.includes(item))

/** The fields of a body by their paths. */
type Fields = Map<string, Field>

const fieldsOf = (contract: Contract, schema: Schema, name: string): Fields =>
  new Map(eachField(shapeOf(contract, schema, name)).map((field) => [field.path, field]))

function ofBodies([theirs, ours]: [Fields, Fields]): Change[] {
  const gone = outermost([...theirs.values()].filter(({ path }) => !ours.has(path)))
  const come = outermost([...ours.values()].filter(({ path }) => !theirs.has(path)))
  const renamed = come.flatMap((newer) => {
    const older = gone.find((candidate) => isRenamed(newer, candidate))
    return older ? [{ older, newer }] : []
  })
  const paired = new Set(renamed.flatMap(({ older, newer }) => [older, newer]))
  const kept = [...ours.values()].flatMap((newer) => {
    const older = theirs.get(newer.path)
    return older && aspectsOf(older, newer).length > 0 ? [{ older, newer }] : []
  })
  const changes = [
    ...renamed,
    ...gone.filter((older) => !paired.has(older)).map((older) => ({ older })),
    ...come.filter((newer) => !paired.has(newer)).map((newer) => ({ newer })),
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
