import type { ConsoleOptions } from '../../src/docs/console/request.ts'
import { currentVersion, type OperationObject, resolve, versions } from '../contract/contract.ts'
import { numberedErrorsOf } from '../contract/error-keys.ts'
import { base, serviceBase } from './base.ts'
import { credentialHeaders } from './curl.ts'
import { escapeHtml } from './escape-html.ts'
import { examplesOf } from './example-list.ts'
import { idSources } from './id-sources.ts'
import type { Site } from './site.ts'

/** The request console of an operation, which Vue makes in the browser. */
export function consoleTag(site: Site, path: string, operation: OperationObject): string {
  const options = escapeHtml(JSON.stringify(consoleOptions(site, path, operation)))
  return `<ClientOnly><TryIt options="${options}" /></ClientOnly>`
}

function consoleOptions(site: Site, path: string, operation: OperationObject): ConsoleOptions {
  const { contract, catalogue } = site
  const examples = examplesOf(contract, operation.requestBody.content)
    .filter(({ mediaType }) => mediaType === 'application/json')
    .map(({ summary, value }) => ({ summary, body: JSON.stringify(value, null, 2) }))
  const [clientId, secret] = Object.entries(credentialHeaders(contract))
  const version = resolve(contract, operation.parameters![0]!) as { name: string }
  const answers = resolve(contract, operation.responses['200']!).content
  const errors = numberedErrorsOf(contract, operation)
    .flatMap(([, keys]) => keys)
    .map((key) => `code=${catalogue[key]!['x-status']}, example=${key}`)
  return {
    path,
    // Elsewhere than at the service, what serves the page does not answer requests.
    address: base === serviceBase ? '' : contract.servers[0]!.url,
    examples,
    sources: idSources(site, path, operation),
    clientId: { header: clientId![0], value: clientId![1] },
    secret: { header: secret![0], value: secret![1] },
    version: { header: version.name, values: versions, value: currentVersion },
    preferences: [
      ...examplesOf(contract, answers).map(({ name }) => `example=${name}`),
      ...errors,
      'delay=2000',
    ],
  }
}
