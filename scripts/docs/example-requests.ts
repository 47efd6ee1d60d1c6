import type { ExampleRequest, ExampleRequests } from '../../src/docs/console/fresh-values.ts'
import { eachOperation, type OperationEntry } from '../contract/contract.ts'
import { examplesOf } from './example-list.ts'
import { idSources } from './id-sources.ts'
import { codeOf, type Site, undatedSites } from './site.ts'

/** What the request console needs to send the example of every operation. */
export function exampleRequests(site: Site): ExampleRequests {
  const sites = [site, ...undatedSites(site)]
  const entries = sites.flatMap((own) =>
    eachOperation(own.contract).map((entry) => ({ own, entry })),
  )
  const paths = new Map(entries.map(({ entry }) => [entry.operation.operationId, entry.path]))
  const later = Object.values(site.catalogue).filter((entry) => entry['x-retry'] === 'later')
  return {
    operations: Object.fromEntries(
      entries.map(({ own, entry }) => [entry.path, exampleRequest(own, entry, paths)]),
    ),
    later: later.map(codeOf),
  }
}

function exampleRequest(
  site: Site,
  { path, operation }: OperationEntry,
  paths: Map<string, string>,
): ExampleRequest {
  const [example] = examplesOf(site.contract, operation.requestBody.content)
  const sources = Object.entries(idSources(site, path, operation))
  const after = (operation['x-after'] ?? []) as string[]
  return {
    body: example!.value as ExampleRequest['body'],
    sources: Object.fromEntries(
      sources.map(([field, { name, from }]) => [
        field,
        { name, from: from.slice(0, 1).map((producer) => producer.path) },
      ]),
    ),
    after: after.map((operationId) => paths.get(operationId)!),
  }
}
