import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Differences, Places } from '../../src/server/versions/difference.ts'
import { type Comparison, compareComponents } from '../contract/compare-components.ts'
import { componentPlaces } from '../contract/component-places.ts'
import {
  banner,
  type Contract,
  eachOperation,
  generatedFolder,
  type OperationObject,
  readBundle,
  requestSchema,
  responseSchema,
  type Schema,
  versions,
} from '../contract/contract.ts'

/** Writes, for each older version, what it has differently from the next newer one. */
export function differences(): void {
  for (const [index, version] of versions.slice(0, -1).entries()) {
    const found = differencesOf(version, versions[index + 1] as string)
    const source = [
      banner('generate/differences.ts'),
      '/** What this version has differently from the next newer one. */',
      `export const differences = ${JSON.stringify(found, null, 2)} as const`,
      '',
    ]
    writeFileSync(join(generatedFolder(version), 'differences.ts'), source.join('\n'))
  }
}

function differencesOf(version: string, newerVersion: string): Differences {
  const [older, newer] = [readBundle(version), readBundle(newerVersion)]
  const all = compareAll(older, newer)
  const changed = Object.entries(all).filter(([, { edits }]) => Object.keys(edits).length > 0)
  // A request is walked by the contract that it follows, and so is an answer before its edits.
  const ofRequests = findPlaces(older, all, (operation) => requestSchema(operation))
  const ofResponses = findPlaces(newer, all, (operation) => responseSchema(newer, operation))
  return {
    newer: newerVersion,
    changes: Object.fromEntries(changed.map(([name, { edits }]) => [name, edits])),
    requests: edited(ofRequests, all),
    responses: edited(ofResponses, all),
    byHand: {
      requests: leftOver(ofRequests, all, 'request'),
      responses: leftOver(ofResponses, all, 'response'),
    },
  }
}

type Comparisons = Record<string, Comparison>

/** By operation, the places of components. */
type Found = Record<string, [place: string, component: string][]>

function compareAll(older: Contract, newer: Contract): Comparisons {
  const [theirs, ours] = [older.components.schemas, newer.components.schemas]
  const shared = Object.keys(ours).filter((name) => name in theirs)
  return Object.fromEntries(
    shared.map((name) => [name, compareComponents(theirs[name] as Schema, ours[name] as Schema)]),
  )
}

/** Where the components stand that are not the same. */
function findPlaces(
  contract: Contract,
  all: Comparisons,
  schemaOf: (operation: OperationObject) => Schema,
): Found {
  return Object.fromEntries(
    eachOperation(contract).map(({ operation }) => [
      operation.operationId,
      componentPlaces(contract, schemaOf(operation)).filter(([, name]) => name in all),
    ]),
  )
}

/** The places of the components that have edits. */
function edited(found: Found, all: Comparisons): Differences['requests'] {
  const rows = Object.entries(found).map(([operationId, list]): [string, Places] => {
    const changed = list.filter(([, name]) => Object.keys(all[name]?.edits ?? {}).length > 0)
    const byComponent = Map.groupBy(changed, ([, name]) => name)
    const stands = [...byComponent].map(([name, of]) => [name, of.map(([place]) => place)])
    return [operationId, Object.fromEntries(stands)]
  })
  return Object.fromEntries(rows.filter(([, stands]) => Object.keys(stands).length > 0))
}

/** What no rule derives, by operation. */
function leftOver(
  found: Found,
  all: Comparisons,
  side: 'request' | 'response',
): Record<string, string[]> {
  const rows = Object.entries(found).map(([operationId, list]): [string, string[]] => [
    operationId,
    list.flatMap(([place, name]) =>
      (all[name]?.[side] ?? []).map((at) => `${place}.${at}`.replace(/^\./, '')),
    ),
  ])
  return Object.fromEntries(rows.filter(([, list]) => list.length > 0))
}
