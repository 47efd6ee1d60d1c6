import { readWholeCatalogue } from '../contract/catalogue.ts'
import {
  type Contract,
  currentVersion,
  eachOperation,
  type OperationObject,
  readBundle,
  resolve,
} from '../contract/contract.ts'
import { numberedErrorsOf } from '../contract/error-keys.ts'
import { ofClients } from '../contract/undated.ts'
import { declare, writeSource } from './source.ts'

/** Writes what every operation can answer, by the contract's examples, for mocks of other people. */
export function examples(): void {
  const contracts = [currentVersion, ...ofClients].map((name) => readBundle(name))
  const answers = contracts.flatMap((contract) =>
    eachOperation(contract).map(({ path, operation }) => {
      const errors = numberedErrorsOf(contract, operation).flatMap(([, keys]) => keys)
      return [operation.operationId, { path, answers: valuesOf(contract, operation), errors }]
    }),
  )
  const errors = Object.entries(readWholeCatalogue()).map(([key, entry]) => [
    key,
    { status: entry['x-status'], body: entry.value },
  ])
  writeSource(`${currentVersion}/examples.ts`, 'generate/examples.ts', [
    declare(
      'What an operation can answer: success bodies and keys of errors, each by its name.',
      `interface Answers {
  path: string
  answers: Readonly<Record<string, object>>
  errors: readonly string[]
}`,
    ),
    declare(
      'The answers of each operation; the first is the usual one.',
      `const answers: Readonly<Record<string, Answers>> = ${json(answers)}`,
    ),
    declare(
      'Each error, by its key in the catalogue.',
      `const errors: Readonly<Record<string, { status: number; body: object }>> =\n  ${json(errors)}`,
    ),
    declare(
      'The further headers of each status.',
      `const headers: Readonly<Record<string, Readonly<Record<string, string>>>> =\n  ${JSON.stringify(headersOf(contracts[0]!))}`,
    ).trimEnd(),
  ])
}

const json = (entries: unknown[][]): string =>
  JSON.stringify(Object.fromEntries(entries as [string, unknown][]), null, 1)

function valuesOf(contract: Contract, { responses }: OperationObject): Record<string, unknown> {
  const { content } = resolve(contract, responses['200']!)
  const examples = Object.entries(content?.['application/json']?.examples ?? {})
  return Object.fromEntries(
    examples.map(([name, example]) => [name, resolve(contract, example).value]),
  )
}

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
