import {
  type Contract,
  componentName,
  versions as dates,
  eachOperation,
  type OperationObject,
  reach,
  requestSchema,
  responseSchema,
} from '../contract/contract.ts'
import { isUndated } from '../contract/undated.ts'

/** A client's method as types. */
interface MethodTypes {
  /** The codes that the operation can fail with. */
  codes: string[]
  /** The names of its request's and its answer's types. */
  bodies: [request: string, response: string]
  /** A call may ask for the versions whose bodies have the same types. */
  signature: string
}

/** What methods are described from. */
export interface Sources {
  /** By date, or by the name of a document without versions. */
  contracts: ReadonlyMap<string, Contract>
}

/** Describes the method that the client of a version has for an operation. */
export function methodTypes(version: string, operationId: string, sources: Sources): MethodTypes {
  const { contract, operation } = find(sources, version, operationId)
  const bodies = bodiesOf(contract, operation)
  const shape = shapeOf(sources, version, operationId)
  // A document without versions is the same in all of them.
  const alike = dates.filter(
    (date) => isUndated(version) || shapeOf(sources, date, operationId) === shape,
  )
  const choice = alike.length < dates.length ? unionOf(alike) : 'Version'
  const signature =
    `${operationId}(body: ${bodies[0]}, options?: CallOptions<${choice}>): ` +
    `Call<${bodies[1]}, ErrorCodes['${operationId}']>`
  return { codes: codesOf(operation), bodies, signature }
}

function find({ contracts }: Sources, version: string, operationId: string) {
  const contract = contracts.get(version)!
  const entry = eachOperation(contract).find(
    ({ operation }) => operation.operationId === operationId,
  )
  return { contract, operation: entry!.operation }
}

/** The names of the types of an operation's bodies. */
export const bodiesOf = (contract: Contract, operation: OperationObject): [string, string] => [
  componentName(requestSchema(operation))!,
  componentName(responseSchema(contract, operation))!,
]

/** What of the bodies' schemas decides about their types, as a text to compare. */
function shapeOf(sources: Sources, version: string, operationId: string): string {
  const { contract, operation } = find(sources, version, operationId)
  const names = [...reach(contract, bodiesOf(contract, operation))].sort()
  const schemas = names.map((name) => [name, contract.components.schemas[name]])
  return JSON.stringify(schemas, (key, value) => (isTypeless(key, value) ? undefined : value))
}

const typeless = ['title', 'description', 'default', 'format', 'pattern', 'examples']

/** Whether it is a keyword that no TypeScript type depends on; a property's value is an object. */
const isTypeless = (key: string, value: unknown): boolean =>
  key.startsWith('x-') ||
  (typeless.includes(key) && (typeof value !== 'object' || Array.isArray(value)))

/** Every code that the operation lists, each once, in the order of the statuses. */
export function codesOf(operation: OperationObject): string[] {
  const byStatus = operation['x-error-codes'] as Record<string, string[]>
  return [...new Set(Object.values(byStatus).flat())]
}

/** A union of texts as a type. */
export const unionOf = (texts: readonly string[]): string =>
  texts.map((text) => `'${text}'`).join(' | ')

/** What an editor shows of a method: its summary and description, and these lines. */
export function comment({ summary, description }: OperationObject, ...others: string[]): string {
  const lines = [`${summary}.`, '', ...description.trim().split('\n'), ...others]
  const text = lines.map((line) => `   * ${line}`.trimEnd().replaceAll('*/', '*\\/'))
  return ['  /**', ...text, '   */'].join('\n')
}

/** The types of bodies, imported from beside the file. */
export const importBodies = (names: readonly string[]): string =>
  `import type {\n  ${[...new Set(names)].join(',\n  ')},\n} from './types.ts'\n`
