import {
  type Contract,
  currentVersion,
  eachOperation,
  eachWebhook,
  type OperationObject,
  readBundle,
  requestSchema,
  responseSchema,
  type Schema,
} from '../contract.ts'
import { haveSameExample } from '../same-example.ts'
import { errorsOf } from './error-keys.ts'
import { enumOf, typeWords } from './field-words.ts'
import { eachField, type Field, type Shape, shapeOf } from './fields.ts'
import { join } from './rules.ts'

/** What an older version has differently in one operation or webhook. */
export interface Difference {
  operationId?: string
  /** The path, or the webhook's name. */
  name: string
  /** A sentence for each change, with code in backticks. */
  changes: string[]
}

/** Compares a version with the current one; the sentences are about the older of the two. */
export function differencesOf(version: string): Difference[] {
  const newer = readBundle(currentVersion)
  const older = readBundle(version)
  const all = [...ofOperations(newer, older), ...ofWebhooks(newer, older)]
  return all.filter(({ changes }) => changes.length > 0)
}

function ofOperations(newer: Contract, older: Contract): Difference[] {
  const others = new Map(eachOperation(older).map(({ path, operation }) => [path, operation]))
  return eachOperation(newer).map(({ path, operation }) => {
    const { operationId } = operation
    const other = others.get(path)
    if (!other) return { operationId, name: path, changes: ['Does not exist.'] }
    const request = [requestSchema(operation), requestSchema(other)] as const
    const response = [responseSchema(newer, operation), responseSchema(older, other)] as const
    return {
      operationId,
      name: path,
      changes: [
        ...ofBodies(newer, older, request, 'request'),
        ...ofBodies(newer, older, response, 'response'),
        ...ofErrors([newer, operation], [older, other]),
      ],
    }
  })
}

function ofWebhooks(newer: Contract, older: Contract): Difference[] {
  const others = new Map(eachWebhook(older).map(({ name, schema }) => [name, schema]))
  return eachWebhook(newer).map(({ name, schema }) => {
    const other = others.get(name)
    const changes = other ? ofBodies(newer, older, [schema, other], 'body') : ['Is not sent.']
    return { name, changes }
  })
}

function ofErrors(
  newer: [Contract, OperationObject],
  older: [Contract, OperationObject],
): string[] {
  const [ours, theirs] = [newer, older].map(([contract, operation]) => {
    return errorsOf(contract, operation).flatMap(([, keys]) => keys)
  }) as [string[], string[]]
  return [
    ...without(theirs, ours).map((key) => `Also fails with \`${key}\`.`),
    ...without(ours, theirs).map((key) => `Never fails with \`${key}\`.`),
  ]
}

const without = (all: string[], others: string[]): string[] =>
  all.filter((item) => !others.includes(item))

function ofBodies(
  newer: Contract,
  older: Contract,
  [ours, theirs]: readonly [Schema, Schema],
  name: string,
): string[] {
  const fields = byPath(newer, ours, name)
  const others = byPath(older, theirs, name)
  const gone = outermost([...fields.values()].filter(({ path }) => !others.has(path)))
  const added = outermost([...others.values()].filter(({ path }) => !fields.has(path)))
  const renamed = gone.flatMap((field) => {
    const other = added.find((candidate) => isRenamed(field, candidate))
    return other ? [[field, other] as const] : []
  })
  const pairs = new Set(renamed.flat())
  return [
    ...renamed.map(([field, other]) => `\`${field.path}\` is called \`${other.name}\`.`),
    ...added.filter((field) => !pairs.has(field)).map((field) => `Has ${described(field)}.`),
    ...gone.filter((field) => !pairs.has(field)).map(({ path }) => `Has no \`${path}\`.`),
    ...[...fields.values()].flatMap((field) => ofFields(field, others.get(field.path))),
  ]
}

const byPath = (contract: Contract, schema: Schema, name: string): Map<string, Field> =>
  new Map(eachField(shapeOf(contract, schema, name)).map((field) => [field.path, field]))

/** Without what lies inside another of them. */
const outermost = (fields: Field[]): Field[] =>
  fields.filter(({ path }) => !fields.some((other) => path.startsWith(`${other.path}.`)))

/** The same value under another name: side by side, with the same example. */
const isRenamed = (field: Field, other: Field): boolean =>
  parentOf(field.path) === parentOf(other.path) &&
  haveSameExample(field.shape.schema, other.shape.schema)

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('.'))

const described = ({ path, shape, required }: Field): string => {
  const presence = path.startsWith('request.') ? (required ? ', required' : ', optional') : ''
  return `\`${path}\` (${typeWords(shape)}${presence})`
}

function ofFields(field: Field, other: Field | undefined): string[] {
  if (!other) return []
  const changes = [...ofTypes(field.shape, other.shape), ...ofEnums(field, other)]
  if (field.required !== other.required)
    changes.push(other.required ? 'is required' : 'is optional')
  return changes.length > 0 ? [`\`${field.path}\` ${join(changes, 'and')}.`] : []
}

function ofTypes(shape: Shape, other: Shape): string[] {
  const type = typeWords(other)
  if (type === 'null') return typeWords(shape) === 'null' ? [] : ['is always null']
  const changes = type === typeWords(shape) ? [] : [`is of type ${type}`]
  if (shape.nullable === other.nullable) return changes
  return [...changes, other.nullable ? 'can be null' : 'is never null']
}

function ofEnums(field: Field, other: Field): string[] {
  const [ours, theirs] = [field, other].map(({ shape }) => {
    return enumOf(shape).map(([value]) => `\`${value}\``)
  }) as [string[], string[]]
  const [added, gone] = [without(theirs, ours), without(ours, theirs)]
  return [
    ...(added.length > 0 ? [`can be ${join(added, 'or')}`] : []),
    ...(gone.length > 0 ? [`is never ${join(gone, 'or')}`] : []),
  ]
}
