import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { generatedFolder, versions } from '../../scripts/contract/contract.ts'

interface Media {
  schema?: { $ref?: string }
  examples?: Record<string, { $ref?: string; value?: unknown }>
}
interface Body {
  $ref?: string
  content?: Record<string, Media>
}
interface Operation {
  operationId: string
  requestBody: Body
  responses: Record<string, Body>
}
interface Document {
  paths: Record<string, { post: Operation }>
  components: { schemas: object }
  [key: string]: unknown
}

/** An example of a request, or of an answer with status 200. */
export interface Example {
  name: string
  path: string
  operationId: string
  /** The name of the schema that it follows. */
  schema: string
  isRequest: boolean
  value: unknown
}

export interface Bundle {
  /** The dated version, or `platform`. */
  name: string
  file: string
  operations: number
  /** The names of its schemas. */
  schemas: string[]
  examples: Example[]
}

/** The document without versions that integrators use beside the interface. */
export const platform = 'platform'

/** The bundle of each dated version, oldest first, and of the platform API. */
export function bundles(): Bundle[] {
  return [...versions, platform].map((name) => {
    const file = join(generatedFolder(name), 'openapi.json')
    const document = JSON.parse(readFileSync(file, 'utf8')) as Document
    const operations = Object.keys(document.paths).length
    const schemas = Object.keys(document.components.schemas)
    return { name, file, operations, schemas, examples: examplesOf(document) }
  })
}

function examplesOf(document: Document): Example[] {
  return Object.entries(document.paths).flatMap(([path, { post }]) => [
    ...examplesIn(document, path, post, true),
    ...examplesIn(document, path, post, false),
  ])
}

function examplesIn(document: Document, path: string, operation: Operation, isRequest: boolean) {
  const { operationId, requestBody, responses } = operation
  const body = resolve(document, isRequest ? requestBody : (responses['200'] ?? {}))
  const { schema, examples = {} } = body.content?.['application/json'] ?? {}
  return Object.entries(examples).map(([name, example]) => ({
    name,
    path,
    operationId,
    schema: schema?.$ref?.split('/').at(-1) ?? '',
    isRequest,
    value: resolve(document, example).value,
  }))
}

function resolve<T extends { $ref?: string }>(document: Document, node: T): T {
  if (!node.$ref) return node
  const keys = node.$ref.slice(2).split('/')
  return resolve(document, keys.reduce<unknown>((at, key) => (at as Document)[key], document) as T)
}
