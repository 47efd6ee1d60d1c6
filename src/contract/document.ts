import { closure } from './closure.ts'

// A document of the contract as programs read it: its types, its references, what it lists.

/** A JSON Schema 2020-12 object as the contract writes it; booleans are not used there. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  allOf?: Schema[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  not?: Schema
  if?: Schema
  then?: Schema
  else?: Schema
  additionalProperties?: boolean | Schema
  propertyNames?: Schema
  description?: string
  examples?: unknown[]
  enum?: unknown[]
  [keyword: string]: unknown
}

export interface Example {
  $ref?: string
  summary?: string
  description?: string
  value?: unknown
  [extension: `x-${string}`]: unknown
}

export interface MediaType {
  schema: Schema
  examples?: Record<string, Example>
}

export interface ResponseObject {
  $ref?: string
  description: string
  headers?: Record<string, unknown>
  content?: Record<string, MediaType>
}

export interface OperationObject {
  operationId: string
  tags: [string]
  summary: string
  description: string
  externalDocs?: { url: string }
  deprecated?: boolean
  security?: Record<string, string[]>[]
  parameters?: Record<string, unknown>[]
  requestBody: { required: true; description?: string; content: Record<string, MediaType> }
  responses: Record<string, ResponseObject>
  [extension: `x-${string}`]: unknown
}

export interface Contract {
  openapi: string
  info: { title: string; version: string; description: string; 'x-api-version': string }
  servers: { url: string; description: string }[]
  security: Record<string, string[]>[]
  tags: {
    name: string
    description: string
    'x-displayName': string
    externalDocs?: { url: string }
  }[]
  paths: Record<string, { post: OperationObject }>
  webhooks?: Record<string, { post: Omit<OperationObject, 'operationId'> }>
  components: {
    schemas: Record<string, Schema>
    examples: Record<string, Example>
    responses: Record<string, ResponseObject>
    securitySchemes: Record<string, Record<string, unknown>>
    [kind: string]: Record<string, unknown>
  }
}

/** Follows a local `$ref` (and what that points at) to the object itself. */
export function resolve<T extends object>(contract: Contract, node: T): T {
  if (!('$ref' in node) || typeof node.$ref !== 'string') return node
  let target: unknown = contract
  for (const name of namesIn(node.$ref)) {
    target = (target as Record<string, unknown> | undefined)?.[name]
  }
  if (target === undefined) throw new Error(`nothing stands at ${node.$ref}`)
  return resolve(contract, target as T)
}

const known = new Map<string, string[]>()

/** The names on the way to what a reference points at; each is read once. */
function namesIn(reference: string): string[] {
  const names =
    known.get(reference) ??
    reference
      .replace(/^#\//, '')
      .split('/')
      .map((key) => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~'))
  known.set(reference, names)
  return names
}

/** The component's name when `schema` is a plain reference to one. */
export function componentName(schema: Schema): string | undefined {
  return schema.$ref?.match(/^#\/components\/schemas\/([^/]+)$/)?.[1]
}

/** The names of the components that these ones lead to, themselves included. */
export const reach = ({ components }: Contract, names: string[]): Set<string> =>
  closure(names, (name) => linksOf(components.schemas[name]))

/** The names of the components that a part refers to. */
export const linksOf = (value: unknown): string[] =>
  [...(JSON.stringify(value) ?? '').matchAll(/"#\/components\/schemas\/([^"/]+)"/g)].map(
    ([, name]) => name!,
  )

export interface OperationEntry {
  path: string
  operation: OperationObject
}

export function eachOperation(contract: Contract): OperationEntry[] {
  return Object.entries(contract.paths).map(([path, item]) => ({ path, operation: item.post }))
}

export interface WebhookEntry {
  /** `<webhook_type>.<webhook_code>` */
  name: string
  webhook: Omit<OperationObject, 'operationId'>
  schema: Schema
}

export function eachWebhook(contract: Contract): WebhookEntry[] {
  return Object.entries(contract.webhooks ?? {}).map(([name, item]) => ({
    name,
    webhook: item.post,
    schema: item.post.requestBody.content['application/json']!.schema,
  }))
}

/** The schema of a request body; both media types of a form operation share it. */
export function requestSchema(operation: OperationObject): Schema {
  return operation.requestBody.content['application/json']!.schema
}

/** The schema of the one success answer. */
export function responseSchema(contract: Contract, operation: OperationObject): Schema {
  return resolve(contract, operation.responses['200']!).content!['application/json']!.schema
}

interface ExampleEntry {
  /** Where it stands: `accountsGet request`, `accountsGet 400`, `ITEM.X webhook`. */
  place: string
  name: string
  schema: Schema
  value: unknown
  /** The HTTP status, or undefined for requests and webhooks. */
  status?: string
  operationId?: string
  mediaType: string
}

function mediaExamples(
  contract: Contract,
  content: Record<string, MediaType> | undefined,
  entry: Pick<ExampleEntry, 'place' | 'status' | 'operationId'>,
): ExampleEntry[] {
  return Object.entries(content ?? {}).flatMap(([mediaType, media]) =>
    Object.entries(media.examples ?? {}).map(([name, example]) => ({
      ...entry,
      mediaType,
      name,
      schema: media.schema,
      value: resolve(contract, example).value,
    })),
  )
}

/** Every named example of every operation and webhook, with the schema that it must fit. */
export function eachExample(contract: Contract): ExampleEntry[] {
  const ofOperations = eachOperation(contract).flatMap(({ operation }) => {
    const { operationId } = operation
    const answers = Object.entries(operation.responses).flatMap(([status, response]) =>
      mediaExamples(contract, resolve(contract, response).content, {
        place: `${operationId} ${status}`,
        status,
        operationId,
      }),
    )
    const place = `${operationId} request`
    return [
      ...mediaExamples(contract, operation.requestBody.content, { place, operationId }),
      ...answers,
    ]
  })
  const ofWebhooks = eachWebhook(contract).flatMap(({ name, webhook }) =>
    mediaExamples(contract, webhook.requestBody.content, { place: `${name} webhook` }),
  )
  return [...ofOperations, ...ofWebhooks]
}
