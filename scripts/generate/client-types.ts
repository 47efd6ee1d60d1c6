import {
  currentVersion,
  versions as dates,
  eachOperation,
  type OperationObject,
  readBundle,
  readCatalogue,
} from '../contract/contract.ts'
import { comment, importBodies, methodTypes, type Sources, unionOf } from './client-methods.ts'
import { declare, writeSource } from './source.ts'

/** Writes the client's methods as types, for each version, with what an editor shows of them. */
export function clientTypes(): void {
  const contracts = new Map(dates.map((date) => [date, readBundle(date)]))
  const sources = { contracts, catalogue: readCatalogue() }
  for (const version of dates) writeMethods(version, sources)
  writeVersions()
}

const script = 'generate/client-types.ts'

function writeMethods(version: string, sources: Sources): void {
  const methods = eachOperation(sources.contracts.get(version)!).map(({ operation }) => ({
    operation,
    ...methodTypes(version, operation.operationId, sources),
  }))
  const codes = methods.map(({ operation: { operationId }, codes }) => {
    return `  ${operationId}: ${unionOf(codes)}\n`
  })
  const members = methods.map(({ operation, codes, signature }) => {
    return `${comment(operation, ...advice(operation, codes))}\n  ${signature}\n`
  })
  writeSource(`${version}/methods.ts`, script, [
    `import type { Call, CallOptions } from '../../src/client/call.ts'`,
    `import type { Version } from '../client.ts'`,
    importBodies(methods.flatMap(({ bodies }) => bodies)),
    declare(
      'The codes that each operation can fail with.',
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
    : 'Not safe to repeat: the client sends it once.',
  '',
  `Error codes: ${codes.map((code) => `\`${code}\``).join(', ')}.`,
]

const typeName = (date: string): string => date.replaceAll('-', '')

/** Writes the types of every version by its date. */
function writeVersions(): void {
  const imports = dates.map(
    (date) => `import type * as methods${typeName(date)} from './${date}/methods.ts'
import type * as types${typeName(date)} from './${date}/types.ts'`,
  )
  const rows = dates.map(
    (date) => `  '${date}': {
    methods: methods${typeName(date)}.Methods
    errorCodes: methods${typeName(date)}.ErrorCodes
    operations: types${typeName(date)}.operations
    paths: types${typeName(date)}.paths
  }
`,
  )
  writeSource('client.ts', script, [
    `${imports.join('\n')}\n`,
    declare(
      'What a client is typed by, for each dated version.',
      `interface VersionTypes {\n${rows.join('')}}`,
    ),
    declare('A dated version of the interface.', 'type Version = keyof VersionTypes'),
    declare(
      'The version that a client is typed by when it names none.',
      `type CurrentVersion = '${currentVersion}'`,
    ).trimEnd(),
  ])
}
