import type { IdSource } from '../../src/docs/console/kept-ids.ts'
import {
  type Contract,
  eachOperation,
  type OperationObject,
  requestSchema,
  responseSchema,
} from '../contract/contract.ts'
import { base } from './base.ts'
import { eachField, type Field, shapeOf } from './fields.ts'
import { operationPath, type Site } from './site.ts'

/** An operation whose answer has an id or a token that its request has not. */
export interface IdProducer {
  path: string
  href: string
  field: Field
  /** Whether each call makes something new. */
  makes: boolean
  /** Whether it lists what there is. */
  lists: boolean
}

/** The sources of the ids and tokens in a request, by the fields' names. */
export function idSources(
  site: Site,
  path: string,
  operation: OperationObject,
): Record<string, IdSource> {
  const fields = eachField(shapeOf(site.contract, requestSchema(operation), 'request'))
  const sources = fields.flatMap((field): [string, IdSource][] => {
    const name = field.name.replace(/s$/, '')
    const producers = site.idProducers.get(name)?.filter((producer) => fits(producer, field)) ?? []
    const from = producers
      .toSorted((one, other) => nearness(other, name) - nearness(one, name))
      .map(({ path, href }) => ({ path, href }))
    return from.length > 0 ? [[field.name, { name, from }]] : []
  })
  return Object.fromEntries([...sources, ...cursorOf(site, path, operation)])
}

/**
 * How many words of a field's name an operation's path has: `/wallet/create` makes a `wallet_id`. Of
 * two that are as near, the one that makes something new, or else lists what there is.
 */
const nearness = ({ path, makes, lists }: IdProducer, name: string): number =>
  name.split('_').filter((word) => path.includes(word)).length +
  (makes ? 0.5 : 0) +
  (lists ? 0.25 : 0)

/** The same name can mean two things, as with access tokens; then the form of the one tells. */
function fits({ field }: IdProducer, { shape }: Field): boolean {
  const pattern = (shape.items ?? shape).schema['pattern']
  const [example] = field.shape.schema.examples ?? []
  return typeof pattern !== 'string' || new RegExp(pattern).test(String(example))
}

/** A list goes on where its last answer ended. */
function cursorOf(site: Site, path: string, operation: OperationObject): [string, IdSource][] {
  const pages = operation['x-pagination'] as Record<string, string> | undefined
  if (pages?.['style'] !== 'cursor') return []
  const href = base + operationPath(site, operation.operationId)
  return [[pages['request']!, { name: pages['response']!, from: [{ path, href }] }]]
}

/** The ids and tokens that answers bring, by name; names that begin with `client_` are the caller's own. */
export function idProducers(
  documents: { contract: Contract; folder: Site['folder'] }[],
): Map<string, IdProducer[]> {
  const producers = documents.flatMap(({ contract, folder }) =>
    eachOperation(contract).flatMap(({ path, operation }) => {
      const sent = eachField(shapeOf(contract, requestSchema(operation), 'request'))
      const names = new Set(sent.map(({ name }) => name))
      const href = base + operationPath({ folder }, operation.operationId)
      const received = eachField(shapeOf(contract, responseSchema(contract, operation), 'response'))
      const given = received.filter(({ name }) => /^(?!client_).+_(id|token)$/.test(name))
      const fresh = new Map(given.map((field) => [field.name, field]))
      return [...fresh.values()]
        .filter(({ name }) => !names.has(name))
        .map((field) => ({
          ...{ path, href, field },
          makes: operation['x-retry-safe'] === false,
          lists: operation['x-pagination'] !== undefined,
        }))
    }),
  )
  return Map.groupBy(producers, ({ field }) => field.name)
}
