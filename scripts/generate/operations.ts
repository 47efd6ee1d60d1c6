import {
  type Contract,
  currentVersion,
  eachExample,
  eachOperation,
  eachWebhook,
  generatedFor,
  type OperationObject,
  readBundle,
  resolve,
  responseSchema,
  sourceFolder,
  versions,
  written,
} from '../contract/contract.ts'
import { ContractError } from '../contract/contract-error.ts'
import { numberedErrorsOf } from '../contract/error-keys.ts'
import { enumPlaces } from '../contract/places.ts'
import { ownFiles } from '../validators/validators.ts'
import { declare, declareList, declareValue, writeSource } from './source.ts'

/** Writes, for each document, what of its operations and webhooks is needed when the program runs. */
export function operations(names = generatedFor): void {
  for (const name of names) {
    const contract = readBundle(name)
    const imports = `const validators = {\n${validatorImports(contract, name).join('\n')}\n}`
    writeSource(`${name}/operations.ts`, 'generate/operations.ts', [
      ...described(contract, name),
      declare('Loads the validators of one operation, and nothing else.', imports).trimEnd(),
    ])
  }
}

/** The declarations for the operations and webhooks of the contract. */
function described(contract: Contract, document: string): string[] {
  const rows = eachOperation(contract).map(({ path, operation }) => [
    operation.operationId,
    row(contract, path, operation),
  ])
  const examples = eachExample(contract)
  const webhooks = eachWebhook(contract).map(({ name, schema }) => {
    const example = examples.find(({ place }) => place === `${name} webhook`)?.value
    // Webhooks are not sent in older versions.
    const sent = written.includes(document) ? { example } : {}
    return [name, { schema: schema.$ref!.split('/').pop(), ...sent }]
  })
  // A document without versions has a list of its own if it sends webhooks.
  const hasHeaders = versions.includes(document) || parametersOf(contract)['ServiceVerification']
  const headers = hasHeaders ? headerNames(contract) : undefined
  return [
    declare(
      'What this folder is generated for: a dated version, or a document without versions.',
      `const version = '${document}'`,
    ),
    declareValue('The path of each operation.', 'paths', Object.fromEntries(pathRows(contract))),
    declareList(
      'The operations that take a form as well as JSON.',
      'formOperations',
      formOperations(contract),
    ),
    headers ? declareValue(headersComment, 'headerNames', headers) : [],
    headers
      ? declareValue(
          'The form of an Idempotency-Key.',
          'idempotencyKeyPattern',
          keyPattern(contract),
        )
      : [],
    declareValue('Every operation, by operationId.', 'operations', Object.fromEntries(rows)),
    declare('The name of an operation.', 'type OperationId = keyof typeof operations'),
    declareValue(
      'Every webhook, by `<webhook_type>.<webhook_code>`.',
      'webhooks',
      Object.fromEntries(webhooks),
    ),
    declare('The name of a webhook.', 'type WebhookName = keyof typeof webhooks'),
  ].flat()
}

const headersComment = 'The names of the headers that the contract describes for every request.'

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

const parametersOf = ({ components }: Contract) =>
  (components['parameters'] ?? {}) as Record<string, { name: string }>

/** Only a document that sends webhooks describes a signature. */
export function headerNames(contract: Contract): Record<string, unknown> {
  const { clientId, clientSecret } = contract.components.securitySchemes
  const { ServiceVersion, IdempotencyKey, ServiceVerification } = parametersOf(contract)
  if (!ServiceVersion || !IdempotencyKey) {
    const needed = 'clients need the parameters ServiceVersion and IdempotencyKey'
    throw new ContractError([`${sourceFolder(currentVersion)}/openapi.yaml:1: ${needed}`])
  }
  return {
    clientId: clientId!['name'],
    secret: clientSecret!['name'],
    version: ServiceVersion.name,
    idempotencyKey: IdempotencyKey.name,
    ...(ServiceVerification && { signature: ServiceVerification.name }),
  }
}

const keyPattern = ({ components }: Contract): unknown =>
  (components['parameters'] as Record<string, { schema: { pattern?: string } }>)['IdempotencyKey']
    ?.schema.pattern

function row(contract: Contract, path: string, operation: OperationObject): object {
  return {
    path,
    tag: operation.tags[0],
    mediaTypes: Object.keys(operation.requestBody.content),
    oauth: isOAuth(contract, operation),
    bearerReplaces: operation['x-bearer-replaces'] ?? null,
    retrySafe: operation['x-retry-safe'],
    ...(takesIdempotencyKey(operation) ? { idempotencyKey: true } : {}),
    ...(operation['x-pagination'] ? { pagination: operation['x-pagination'] } : {}),
    rateLimits: operation['x-rate-limits'],
    maximumBody: operation['x-maximum-body'],
    errors: Object.fromEntries(numberedErrorsOf(contract, operation)),
    enums: enumPlaces(contract, responseSchema(contract, operation)),
  }
}

const takesIdempotencyKey = ({ parameters = [] }: OperationObject): boolean =>
  parameters.some(({ $ref }) => $ref === '#/components/parameters/IdempotencyKey')

/** Whether errors have the body of RFC 6749 section 5.2. */
function isOAuth(contract: Contract, operation: OperationObject): boolean {
  const { content } = resolve(contract, operation.responses['400']!)
  return content!['application/json']!.schema.$ref === '#/components/schemas/OAuthErrorBody'
}
