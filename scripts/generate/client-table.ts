import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  banner,
  type Contract,
  currentVersion,
  eachOperation,
  generatedFolder,
  type OperationEntry,
  readBundle,
  readCatalogue,
} from '../contract/contract.ts'
import { formOperations, headerNames } from './operations.ts'

/** Writes what the client needs of the contract when it runs, as few bytes as that takes. */
export function clientTable(): void {
  const contract = readBundle()
  const entries = eachOperation(contract)
  for (const entry of entries) checkName(entry)
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
  const source = [
    banner('generate/client-table.ts'),
    '/** The version that a client asks for when it names none. */',
    `export const currentVersion = '${currentVersion}'\n`,
    '/** The paths of the operations that may be repeated when it is not known whether they ran. */',
    `export const safePaths =\n  ${pathsWhere(true)}\n`,
    '/** The paths of all others. */',
    `export const otherPaths =\n  ${pathsWhere(false)}\n`,
    '/** The operations that take a form. */',
    `export const formOperations: readonly string[] = ${JSON.stringify(formOperations(contract))}\n`,
    '/** The headers of every request. */',
    `export const headerNames = ${JSON.stringify(clientHeaders(contract))} as const\n`,
    '/** The codes behind a 429 or a 5xx that waiting does not mend. */',
    `export const lastingCodes: readonly string[] = ${JSON.stringify(lastingCodes())}\n`,
    '/** How the operations with pages go from one to the next. */',
    `export const pagination = ${JSON.stringify(Object.fromEntries(pagination), null, 2)} as const`,
    '',
  ]
  writeFileSync(join(generatedFolder(currentVersion), 'client-table.ts'), source.join('\n'))
}

/** The client makes an operation's name from its path; this holds that they agree. */
function checkName({ path, operation }: OperationEntry): void {
  const name = path.slice(1).replace(/[/_]./g, ([, letter]) => letter!.toUpperCase())
  if (name !== operation.operationId) {
    throw new Error(`${operation.operationId} has the path ${path}, and the client expects ${name}`)
  }
}

function clientHeaders(contract: Contract): Record<string, unknown> {
  const { clientId, secret, version } = headerNames(contract) ?? {}
  return { clientId, secret, version }
}

function lastingCodes(): unknown[] {
  return Object.values(readCatalogue())
    .filter((entry) => entry['x-status'] === 429 || entry['x-status'] >= 500)
    .filter((entry) => entry['x-retry'] !== 'later')
    .map(({ value }) => value['error_code'])
}
