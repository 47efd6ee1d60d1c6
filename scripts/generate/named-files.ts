import {
  banner,
  currentVersion,
  eachOperation,
  eachWebhook,
  readBundle,
  sourceFolder,
} from '../contract/contract.ts'
import { ContractError } from '../contract/contract-error.ts'
import { ofClients } from '../contract/undated.ts'
import { headerNames } from './operations.ts'
import type { Texts } from './runtime.ts'

/**
 * The modules of `src/` that name parts of a contract. Ours are written by hand and checked by the
 * compiler; those of other contracts are written here.
 */
export function namedFiles(): Texts {
  const files = {
    'src/index.ts': index(),
    'src/client/unversioned.ts': unversioned(),
    ...(eachWebhook(readBundle(currentVersion)).length > 0
      ? { 'src/webhooks/header-name.ts': headerName() }
      : {}),
  }
  const texts = Object.entries(files).map(([file, text]) => [
    file,
    [banner('generate/named-files.ts'), text, ''].join('\n'),
  ])
  return Object.fromEntries(texts)
}

const index = (): string =>
  [
    `export type * from '#contract/types.ts'`,
    `export type { CurrentVersion, Version } from '../generated/client.ts'`,
    ...ofClients.map((name) => `export type * from '../generated/${name}/own-types.ts'`),
    `export type {
  Call,
  CallOptions,
  ErrorCode,
  Methods,
  OperationId,
  RequestBody,
  ResponseBody,
  Result,
} from './client/call.ts'`,
    `export { type Client, type ClientBase, type ClientOptions, createClient } from './client/client.ts'`,
    `export { AnswerError, ConnectionError, TimeoutError } from './client/failures.ts'`,
    `export type { AnswerEvent, AttemptEvent, Hooks, RetryEvent } from './client/hooks.ts'`,
    `export { type Paginated, type PaginatedOperationId, paginate } from './client/paginate.ts'`,
    `export { ServiceError, type Unlisted } from './client/service-error.ts'`,
    `export type { Issue } from './validators/issues.ts'`,
    `export type { Validator } from './validators/validate.ts'`,
  ].join('\n')

function unversioned(): string {
  const rows = ofClients.map((name) => `  () => import('../../generated/${name}/operations.ts'),\n`)
  const comment = '/** Loads the operations of each document without versions that clients call. */'
  if (rows.length > 0) return `${comment}\nexport const unversioned = [\n${rows.join('')}]`
  return `import type { Validator } from '../validators/validate.ts'

interface Operations {
  validators: Record<
    string,
    () => Promise<{ request: Validator<unknown>; response: Validator<unknown> }>
  >
}

${comment}
export const unversioned: (() => Promise<Operations>)[] = []`
}

/** Receivers fetch the keys of signatures with the client. */
const keyOperation = 'webhookVerificationKeyGet'

function headerName(): string {
  const contract = readBundle(currentVersion)
  const { signature } = headerNames(contract)
  const hasKeys = eachOperation(contract).some(
    ({ operation }) => operation.operationId === keyOperation,
  )
  if (!signature || !hasKeys) {
    const needed = `webhooks need the parameter ServiceVerification and the operation ${keyOperation}`
    throw new ContractError([`${sourceFolder(currentVersion)}/openapi.yaml:1: ${needed}`])
  }
  return `export const headerName = ${JSON.stringify(signature)}`
}
