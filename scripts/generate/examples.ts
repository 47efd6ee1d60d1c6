import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  banner,
  type Contract,
  currentVersion,
  eachOperation,
  generatedFolder,
  type OperationObject,
  readBundle,
  readCatalogue,
  resolve,
} from '../contract/contract.ts'

/** Writes what every operation can answer, by the contract's examples, for mocks of other people. */
export function examples(): void {
  const contract = readBundle()
  const entries = eachOperation(contract)
  const answers = entries.map(({ path, operation }) => [
    operation.operationId,
    { path, answers: valuesOf(contract, operation), errors: errorsOf(contract, operation) },
  ])
  const errors = Object.entries(readCatalogue()).map(([key, entry]) => [
    key,
    { status: entry['x-status'], body: entry.value },
  ])
  const source = [
    banner('generate/examples.ts'),
    '/** What an operation can answer: success bodies and keys of errors, each by its name. */',
    'export interface Answers {',
    '  path: string',
    '  answers: Readonly<Record<string, object>>',
    '  errors: readonly string[]',
    '}\n',
    '/** The answers of each operation; the first is the usual one. */',
    `export const answers: Readonly<Record<string, Answers>> = ${json(answers)}\n`,
    '/** Each error, by its key in the catalogue. */',
    'export const errors: Readonly<Record<string, { status: number; body: object }>> =',
    `  ${json(errors)}\n`,
    '/** The further headers of each status. */',
    'export const headers: Readonly<Record<string, Readonly<Record<string, string>>>> =',
    `  ${JSON.stringify(headersOf(contract))}`,
    '',
  ]
  writeFileSync(join(generatedFolder(currentVersion), 'examples.ts'), source.join('\n'))
}

const json = (entries: unknown[][]): string =>
  JSON.stringify(Object.fromEntries(entries as [string, unknown][]), null, 1)

const examplesOf = (contract: Contract, { responses }: OperationObject, status: string) =>
  resolve(contract, responses[status]!).content?.['application/json']?.examples ?? {}

const valuesOf = (contract: Contract, operation: OperationObject): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(examplesOf(contract, operation, '200')).map(([name, example]) => [
      name,
      resolve(contract, example).value,
    ]),
  )

const errorsOf = (contract: Contract, operation: OperationObject): string[] =>
  Object.keys(operation.responses)
    .filter((status) => /^[45]/.test(status))
    .flatMap((status) => Object.keys(examplesOf(contract, operation, status)))

interface Header {
  example: unknown
}

/** The headers that all answers of a status have beside `Request-Id`, by their examples. */
function headersOf(contract: Contract): Record<string, Record<string, string>> {
  const found: Record<string, Record<string, string>> = {}
  for (const { operation } of eachOperation(contract)) {
    for (const [status, response] of Object.entries(operation.responses)) {
      if (!/^[45]/.test(status)) continue
      const { headers = {} } = resolve(contract, response) as { headers?: Record<string, Header> }
      const before = found[status]
      const own = Object.entries(headers).filter(([name]) => name !== 'Request-Id')
      const shared = before ? own.filter(([name]) => Object.hasOwn(before, name)) : own
      const values = shared.map(([name, header]) => [
        name,
        String(resolve(contract, header).example),
      ])
      found[status] = Object.fromEntries(values)
    }
  }
  return Object.fromEntries(
    Object.entries(found).filter(([, headers]) => Object.keys(headers).length > 0),
  )
}
