import { readWholeCatalogue } from '../contract/catalogue.ts'
import {
  type Contract,
  currentVersion,
  eachOperation,
  readBundle,
  sourceFolder,
} from '../contract/contract.ts'
import { ContractError } from '../contract/contract-error.ts'
import { base } from '../contract/place.ts'
import { ofClients } from '../contract/undated.ts'
import { lineOf, readSource } from '../contract/yaml-source.ts'
import { formOperations, headerNames } from './operations.ts'
import { declare, declareList, declareValue, writeSource } from './source.ts'

/** Writes what the client needs of the contract when it runs, as few bytes as that takes. */
export function clientTable(): void {
  const contract = readBundle()
  const documents = [currentVersion, ...ofClients]
  for (const name of documents) checkNames(name)
  const entries = documents.map((name) => readBundle(name)).flatMap(eachOperation)
  const pagination = entries.flatMap(({ operation }) => {
    if (!operation['x-pagination']) return []
    const { limit: _, ...needed } = operation['x-pagination'] as Record<string, unknown>
    return [[operation.operationId, needed]]
  })
  const pathsWhere = (safe: boolean) =>
    JSON.stringify(
      entries
        .filter(({ operation }) => operation['x-retry-safe'] === safe)
        .map(({ path }) => path.slice(1))
        .join(' '),
    )
  writeSource(`${currentVersion}/client-table.ts`, 'generate/client-table.ts', [
    declare(
      'The version that a client asks for when it names none.',
      `const currentVersion = '${currentVersion}'`,
    ),
    declare(
      'The paths of the operations that may be repeated when it is not known whether they ran.',
      `const safePaths =\n  ${pathsWhere(true)}`,
    ),
    declare('The paths of all others.', `const otherPaths =\n  ${pathsWhere(false)}`),
    declareList('The operations that take a form.', 'formOperations', formOperations(contract)),
    declareValue('The headers of every request.', 'headerNames', clientHeaders(contract), 0),
    declareList(
      'The codes behind a 429 or a 5xx that waiting does not mend.',
      'lastingCodes',
      lastingCodes(),
    ),
    declareValue(
      'How the operations with pages go from one to the next.',
      'pagination',
      Object.fromEntries(pagination),
    ).trimEnd(),
  ])
}

/** The client makes an operation's name from its path; this holds that they agree. */
function checkNames(document: string): void {
  const file = `${sourceFolder(document)}/openapi.yaml`
  const mistakes = eachOperation(readBundle(document)).flatMap(({ path, operation }) => {
    const name = path.slice(1).replace(/[/_]./g, ([, letter]) => letter!.toUpperCase())
    if (name === operation.operationId) return []
    const line = lineOf(readSource(base, file), ['paths', path])
    return `${file}:${line}: the operation of ${path} must be called ${name}, not ${operation.operationId}`
  })
  if (mistakes.length > 0) throw new ContractError(mistakes)
}

function clientHeaders(contract: Contract): Record<string, unknown> {
  const { clientId, secret, version, idempotencyKey } = headerNames(contract)
  return { clientId, secret, version, idempotencyKey }
}

function lastingCodes(): unknown[] {
  return Object.values(readWholeCatalogue())
    .filter((entry) => entry['x-status'] === 429 || entry['x-status'] >= 500)
    .filter((entry) => entry['x-retry'] !== 'later')
    .map(({ value }) => value['error_code'])
}
