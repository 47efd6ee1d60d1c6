import {
  currentVersion,
  versions as dates,
  eachOperation,
  eachWebhook,
  type OperationObject,
  readBundle,
} from '../contract/contract.ts'
import { ofClients } from '../contract/undated.ts'
import { comment, importBodies, methodTypes, type Sources, unionOf } from './client-methods.ts'
import { declare, writeSource } from './source.ts'

/** Writes the client's methods as types, for each version, with what an editor shows of them. */
export function clientTypes(): void {
  const contracts = new Map(dates.map((date) => [date, readBundle(date)]))
  const sources = { contracts }
  for (const version of dates) writeMethods(version, sources)
  for (const name of ofClients)
    writeMethods(name, { contracts: new Map([[name, readBundle(name)]]) })
  writeVersions()
}

const script = 'generate/client-types.ts'

function writeMethods(version: string, sources: Sources): void {
  const methods = eachOperation(sources.contracts.get(version)!).map(({ operation }) => ({
    operation,
    ...methodTypes(version, operation.operationId, sources),
  }))
  const codes = methods.map(({ operation: { operationId }, codes }) => {
    return `  ${operationId}: ${unionOf(codes)} | Unlisted\n`
  })
  const members = methods.map(({ operation, codes, signature }) => {
    return `${comment(operation, ...advice(operation, codes))}\n  ${signature}\n`
  })
  writeSource(`${version}/methods.ts`, script, [
    `import type { Call, CallOptions } from '../../src/client/call.ts'`,
    `import type { Unlisted } from '../../src/client/service-error.ts'`,
    `import type { Version } from '../client.ts'`,
    importBodies(methods.flatMap(({ bodies }) => bodies)),
    declare(
      'The codes that each operation can fail with, those that are new included.',
      `interface ErrorCodes {\n${codes.join('')}}`,
    ),
    declare(
      'A method for each operation, named by its operationId.',
      `interface Methods {\n${members.join('')}}`,
    ).trimEnd(),
  ])
}

/** Whether the client repeats a call, and the codes that it can fail with. */
const advice = (operation: OperationObject, codes: string[]): string[] => [
  '',
  operation['x-retry-safe']
    ? 'Safe to repeat: the client does so after a failure that passes.'
    : 'Safe to repeat with an `Idempotency-Key`: the client sends one, and repeats the call with it.',
  '',
  `Error codes: ${codes.map((code) => `\`${code}\``).join(', ')}.`,
]

const typeName = (document: string): string => document.replaceAll('-', '')

/** Writes the types of every version by its date. */
function writeVersions(): void {
  const imports = [...dates, ...ofClients].map(
    (name) => `import type * as methods${typeName(name)} from './${name}/methods.ts'
import type * as types${typeName(name)} from './${name}/types.ts'`,
  )
  const webhookImports = sending().map(
    (name) =>
      `import type { webhooks as webhooks${typeName(name)} } from './${name}/operations.ts'`,
  )
  const rows = dates.map((date) => {
    const all = [date, ...ofClients].map(typeName)
    const both = (kind: string, type: string) =>
      all.map((name) => `${kind}${name}.${type}`).join(' & ')
    return `  '${date}': {
    methods: ${both('methods', 'Methods')}
    errorCodes: ${both('methods', 'ErrorCodes')}
    operations: ${both('types', 'operations')}
    paths: ${both('types', 'paths')}
  }
`
  })
  writeSource('client.ts', script, [
    `${[...imports, ...webhookImports].join('\n')}\n`,
    declare(
      'What a client is typed by, for each dated version.',
      `interface VersionTypes {\n${rows.join('')}}`,
    ),
    declare('A dated version of the interface.', 'type Version = keyof VersionTypes'),
    declare(
      'The version that a client is typed by when it names none.',
      `type CurrentVersion = '${currentVersion}'`,
    ),
    declare('The body of each webhook.', `type WebhookBodies = ${bodies()}`).trimEnd(),
  ])
}

/** The documents whose webhooks are sent to clients. */
const sending = (): string[] =>
  [currentVersion, ...ofClients].filter((name) => eachWebhook(readBundle(name)).length > 0)

function bodies(): string {
  const all = sending().map((name) => {
    const webhooks = `webhooks${typeName(name)}`
    const schema = `(typeof ${webhooks})[Name]['schema']`
    const schemas = `types${typeName(name)}.components['schemas']`
    return `{\n  [Name in keyof typeof ${webhooks}]: ${schemas}[${schema}]\n}`
  })
  return all.length === 0 ? 'Record<never, never>' : all.join(' & ')
}
