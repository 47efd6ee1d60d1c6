import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  banner,
  type Contract,
  currentVersion,
  eachOperation,
  eachWebhook,
  generatedFolder,
  type OperationObject,
  readBundle,
  resolve,
  versions,
} from './contract.ts'
import { ownFiles } from './validators.ts'

/** Writes, for each version, what of its operations and webhooks is needed when the program runs. */
export function operations(dates = versions): void {
  for (const version of dates) {
    const contract = readBundle(version)
    const own = ownFiles(version)
    const rows = eachOperation(contract).map(({ path, operation }) => [
      operation.operationId,
      row(contract, path, operation),
    ])
    const webhooks = eachWebhook(contract).map(({ name, schema }) => [
      name,
      { schema: schema.$ref!.split('/').pop() },
    ])
    const imports = rows.map(([id]) => {
      const folder = own.has(id as string) ? '.' : `../${currentVersion}`
      return `  ${id}: () => import('${folder}/validators/${id}.js'),`
    })
    const source = [
      banner('operations.ts'),
      '/** The dated version that this folder is generated for. */',
      `export const version = '${version}'\n`,
      '/** The path of each operation. */',
      `export const paths = ${JSON.stringify(Object.fromEntries(pathRows(contract)), null, 2)} as const\n`,
      '/** The operations that take a form as well as JSON. */',
      `export const formOperations: readonly string[] = ${JSON.stringify(formOperations(contract))}\n`,
      '/** The names of the headers that the contract describes for every request. */',
      `export const headerNames = ${JSON.stringify(headerNames(contract), null, 2)} as const\n`,
      '/** Every operation, by operationId. */',
      `export const operations = ${JSON.stringify(Object.fromEntries(rows), null, 2)} as const\n`,
      '/** The name of an operation. */',
      'export type OperationId = keyof typeof operations\n',
      '/** Every webhook, by `<webhook_type>.<webhook_code>`. */',
      `export const webhooks = ${JSON.stringify(Object.fromEntries(webhooks), null, 2)} as const\n`,
      '/** The name of a webhook. */',
      'export type WebhookName = keyof typeof webhooks\n',
      '/** Loads the validators of one operation, and nothing else. */',
      `export const validators = {\n${imports.join('\n')}\n}`,
      '',
    ]
    writeFileSync(join(generatedFolder(version), 'operations.ts'), source.join('\n'))
  }
}

const pathRows = (contract: Contract) =>
  eachOperation(contract).map(({ path, operation }) => [operation.operationId, path])

const formOperations = (contract: Contract) =>
  eachOperation(contract)
    .filter(({ operation }) => Object.keys(operation.requestBody.content).length > 1)
    .map(({ operation }) => operation.operationId)

function headerNames({ components }: Contract): Record<string, unknown> {
  const { clientId, clientSecret } = components.securitySchemes
  const version = components['parameters']?.['ServiceVersion'] as { name: string }
  const signature = components['parameters']?.['ServiceVerification'] as { name: string }
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
    errors: errorKeys(contract, operation),
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
