import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  banner,
  currentVersion,
  versions as dates,
  eachOperation,
  generatedFolder,
  type OperationObject,
  readBundle,
  readCatalogue,
  root,
} from '../contract/contract.ts'
import { methodTypes, type Sources } from './client-methods.ts'

/** Writes the client's methods as types, for each version, with what an editor shows of them. */
export function clientTypes(): void {
  const contracts = new Map(dates.map((date) => [date, readBundle(date)]))
  const sources = { contracts, catalogue: readCatalogue() }
  for (const version of dates) {
    writeFileSync(join(generatedFolder(version), 'methods.ts'), methodsSource(version, sources))
  }
  writeFileSync(join(root, 'generated/client.ts'), versionsSource())
}

function methodsSource(version: string, sources: Sources): string {
  const methods = eachOperation(sources.contracts.get(version)!).map(({ operation }) => ({
    operation,
    ...methodTypes(version, operation.operationId, sources),
  }))
  const codes = methods.map(({ operation: { operationId }, codes }) => {
    return `  ${operationId}: ${codes.map((code) => `'${code}'`).join(' | ')}`
  })
  const members = methods.map(({ operation, codes, signature }) => {
    return `${comment(operation, codes)}\n  ${signature}`
  })
  return [
    banner('generate/client-types.ts'),
    `import type { Call, CallOptions } from '../../src/client/call.ts'`,
    `import type { Version } from '../client.ts'`,
    `import type {\n  ${[...new Set(methods.flatMap(({ bodies }) => bodies))].join(',\n  ')},`,
    `} from './types.ts'\n`,
    '/** The codes that each operation can be refused with. */',
    `export interface ErrorCodes {\n${codes.join('\n')}\n}\n`,
    '/** A method for each operation, named by its operationId. */',
    `export interface Methods {\n${members.join('\n')}\n}`,
    '',
  ].join('\n')
}

/** What an editor shows of a method. */
function comment(operation: OperationObject, codes: string[]): string {
  const { summary, description } = operation
  const safe = operation['x-retry-safe']
    ? 'Safe to repeat: the client does so after a failure that passes.'
    : 'Not safe to repeat: the client sends it once.'
  const listed = `Error codes: ${codes.map((code) => `\`${code}\``).join(', ')}.`
  const lines = [`${summary}.`, '', ...description.trim().split('\n'), '', safe, '', listed]
  const text = lines.map((line) => `   * ${line}`.trimEnd().replaceAll('*/', '*\\/'))
  return ['  /**', ...text, '   */'].join('\n')
}

const typeName = (date: string): string => date.replaceAll('-', '')

/** The types of every version by its date. */
function versionsSource(): string {
  const imports = dates.flatMap((date) => [
    `import type * as methods${typeName(date)} from './${date}/methods.ts'`,
    `import type * as types${typeName(date)} from './${date}/types.ts'`,
  ])
  const rows = dates.map((date) =>
    [
      `  '${date}': {`,
      `    methods: methods${typeName(date)}.Methods`,
      `    errorCodes: methods${typeName(date)}.ErrorCodes`,
      `    operations: types${typeName(date)}.operations`,
      `    paths: types${typeName(date)}.paths`,
      '  }',
    ].join('\n'),
  )
  return [
    banner('generate/client-types.ts'),
    ...imports,
    '\n/** What a client is typed by, for each dated version. */',
    `export interface VersionTypes {\n${rows.join('\n')}\n}\n`,
    '/** A dated version of the interface. */',
    'export type Version = keyof VersionTypes\n',
    '/** The version that a client is typed by when it names none. */',
    `export type CurrentVersion = '${currentVersion}'`,
    '',
  ].join('\n')
}
