import type { ConsoleOptions } from '../../src/docs/console/request.ts'
import { currentVersion, type OperationObject, resolve, versions } from '../contract.ts'
import { credentialHeaders } from './curl.ts'
import { errorsOf } from './error-keys.ts'
import { examplesOf } from './example-list.ts'
import { escapeHtml } from './html.ts'
import type { Site } from './site.ts'

/** The request console of an operation, which Vue makes in the browser. */
export function consoleTag(site: Site, path: string, operation: OperationObject): string {
  const options = escapeHtml(JSON.stringify(consoleOptions(site, path, operation)))
  return `<ClientOnly><TryIt options="${options}" /></ClientOnly>`
}

function consoleOptions(
  { contract, catalogue }: Site,
  path: string,
  operation: OperationObject,
): ConsoleOptions {
  const [example] = examplesOf(contract, operation.requestBody.content)
  const [clientId, secret] = Object.entries(credentialHeaders(contract))
  const version = resolve(contract, operation.parameters![0]!) as { name: string }
  const answers = resolve(contract, operation.responses['200']!).content
  const refusals = errorsOf(contract, operation)
    .filter(([status]) => status !== 'default')
    .flatMap(([, keys]) => keys)
    .map((key) => `code=${catalogue[key]!['x-status']}, example=${key}`)
  return {
    path,
    body: JSON.stringify(example!.value, null, 2),
    clientId: { header: clientId![0], value: clientId![1] },
    secret: { header: secret![0], value: secret![1] },
    version: { header: version.name, values: versions, value: currentVersion },
    preferences: [
      ...examplesOf(contract, answers).map(({ name }) => `example=${name}`),
      ...refusals,
      'delay=2000',
    ],
  }
}
