import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  banner,
  type Contract,
  currentVersion,
  documents,
  eachExample,
  eachOperation,
  eachWebhook,
  generatedFolder,
  type OperationObject,
  readBundle,
  resolve,
  responseSchema,
} from '../contract/contract.ts'
import { enumPlaces } from '../contract/enum-places.ts'
import { ownFiles } from '../validators/validators.ts'

/** Writes, for each document, what of its operations and webhooks is needed when the program runs. */
export function operations(names = documents): void {
  for (const name of names) {
    const contract = readBundle(name)
    const source = [
      banner('generate/operations.ts'),
      ...described(contract, name),
      '/** Loads the validators of one operation, and nothing else. */',
      `export const validators = {\n${validatorImports(contract, name).join('\n')}\n}`,
      '',
    ]
    writeFileSync(join(generatedFolder(name), 'operations.ts'), source.join('\n'))
  }
}

/** The lines of what the contract says of its operations and webhooks. */
function described(contract: Contract, document: string): string[] {
  const rows = eachOperation(contract).map(({ path, operation }) => [
    operation.operationId,
    row(contract, path, operation),
  ])
  const examples = eachExample(contract)
  const webhooks = eachWebhook(contract).map(({ name, schema }) => {
    const example = examples.find(({ place }) => place === `${name} webhook`)?.value
    // Webhooks are sent in the newest version only.
    const sent = document === currentVersion ? { example } : {}
    return [name, { schema: schema.$ref!.split('/').pop(), ...sent }]
  })
  const headers = headerNames(contract)
  return [
    '/** What this folder is generated for: a dated version, or the control surface `sandbox`. */',
    `export const version = '${document}'\n`,
    '/** The path of each operation. */',
    `export const paths = ${constant(Object.fromEntries(pathRows(contract)))}\n`,
    '/** The operations that take a form as well as JSON. */',
    `export const formOperations: readonly string[] = ${JSON.stringify(formOperations(contract))}\n`,
    ...(headers ? headerLines(headers) : []),
    '/** Every operation, by operationId. */',
    `export const operations = ${constant(Object.fromEntries(rows))}\n`,
    '/** The name of an operation. */',
    'export type OperationId = keyof typeof operations\n',
    '/** Every webhook, by `<webhook_type>.<webhook_code>`. */',
    `export const webhooks = ${constant(Object.fromEntries(webhooks))}\n`,
    '/** The name of a webhook. */',
    'export type WebhookName = keyof typeof webhooks\n',
  ]
}

const constant = (value: object): string => `${JSON.stringify(value, null, 2)} as const`

const headerLines = (headers: object): string[] => [
  '/** The names of the headers that the contract describes for every request. */',
  `export const headerNames = ${constant(headers)}\n`,
]

function validatorImports(contract: Contract, name: string): string[] {
  const own = ownFiles(name)
  return eachOperation(contract).map(({ operation: { operationId } }) => {
    const folder = own.has(operationId) ? '.' : `../${currentVersion}`
    return `  ${operationId}: () => import('${folder}/validators/${operationId}.js'),`
  })
}

const pathRows = (contract: Contract) =>
  eachOperation(contract).map(({ path, operation }) => [operation.operationId, path])

export const formOperations = (contract: Contract) =>
  eachOperation(contract)
    .filter(({ operation }) => Object.keys(operation.requestBody.content).length > 1)
    .map(({ operation }) => operation.operationId)

/** The control surface sends no webhooks and so describes no signature: it has no list of its own. */
export function headerNames({ components }: Contract): Record<string, unknown> | undefined {
  const { clientId, clientSecret } = components.securitySchemes
  const parameters = components['parameters'] as Record<string, { name: string }>
  const { ServiceVersion: version, ServiceVerification: signature } = parameters
  if (!version || !signature) return undefined
  return {
    clientId: clientId!['name'],
    secret: clientSecret!['name'],
    version: version.name,
    signature: signature.name,
  }
}

function row(contract: Contract, path: string, operation: OperationObject): object {
  return {
    path,
    tag: operation.tags[0],
    mediaTypes: Object.keys(operation.requestBody.content),
    oauth: isOAuth(contract, operation),
    bearerReplaces: operation['x-bearer-replaces'] ?? null,
    retrySafe: operation['x-retry-safe'],
    ...(operation['x-pagination'] ? { pagination: operation['x-pagination'] } : {}),
    rateLimits: operation['x-rate-limits'],
    maximumBody: operation['x-maximum-body'],
    errors: errorKeys(contract, operation),
    enums: enumPlaces(contract, responseSchema(contract, operation)),
  }
}

/** Whether refusals have the body of RFC 6749 section 5.2. */
function isOAuth(contract: Contract, operation: OperationObject): boolean {
  const { content } = resolve(contract, operation.responses['400']!)
  return content!['application/json']!.schema.$ref === '#/components/schemas/OAuthErrorBody'
}

/** The keys of the error catalogue that the operation lists, by HTTP status. */
function errorKeys(contract: Contract, operation: OperationObject): Record<string, string[]> {
  const statuses = Object.entries(operation.responses).filter(([status]) => /^[45]/.test(status))
  return Object.fromEntries(
    statuses.map(([status, response]) => {
      const { content } = resolve(contract, response)
      return [status, Object.keys(content?.['application/json']?.examples ?? {})]
    }),
  )
}
