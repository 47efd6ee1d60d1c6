import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Differences, Places } from '../../src/server/versions/difference.ts'
import { type Comparison, compareComponents } from '../contract/compare-components.ts'
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
import { componentPlaces } from '../contract/places.ts'

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
  const [theirs, ours] = [older.components.schemas, newer.components.schemas]
  const shared = Object.keys(ours).filter((name) => name in theirs)
  const all = new Map(
    shared.map((name) => [name, compareComponents(theirs[name] as Schema, ours[name] as Schema)]),
  )
  const changed = [...all].filter(([, { edits }]) => Object.keys(edits).length > 0)
  const edited = new Set(changed.map(([name]) => name))
  // A request is walked by the contract that it follows, and so is an answer before its edits.
  const ofRequests = findPlaces(older, all, (operation) => requestSchema(operation))
  const ofResponses = findPlaces(newer, all, (operation) => responseSchema(newer, operation))
  return {
    newer: newerVersion,
    changes: Object.fromEntries(changed.map(([name, { edits }]) => [name, edits])),
    requests: editedPlaces(ofRequests, edited),
    responses: editedPlaces(ofResponses, edited),
    byHand: {
      requests: leftOver(ofRequests, all, 'request'),
      responses: leftOver(ofResponses, all, 'response'),
    },
  }
}

type Comparisons = ReadonlyMap<string, Comparison>

/** By operation, the places of components. */
type Found = [operationId: string, places: [place: string, component: string][]][]

/** Where the components stand that both versions have. */
const findPlaces = (
  contract: Contract,
  all: Comparisons,
  schemaOf: (operation: OperationObject) => Schema,
): Found =>
  eachOperation(contract).map(({ operation }) => [
    operation.operationId,
    componentPlaces(contract, schemaOf(operation)).filter(([, name]) => all.has(name)),
  ])

/** The places of the components that have edits, by operation and component. */
function editedPlaces(found: Found, edited: ReadonlySet<string>): Differences['requests'] {
  const rows = found.map(([operationId, list]): [string, Places] => {
    const changed = list.filter(([, name]) => edited.has(name))
    const byComponent = Map.groupBy(changed, ([, name]) => name)
    const places = [...byComponent].map(([name, of]) => [name, of.map(([place]) => place)])
    return [operationId, Object.fromEntries(places)]
  })
  return Object.fromEntries(rows.filter(([, places]) => Object.keys(places).length > 0))
}

/** The places that take a function, by operation. */
function leftOver(found: Found, all: Comparisons, side: 'request' | 'response') {
  const rows = found.map(([operationId, list]): [string, string[]] => [
    operationId,
    list.flatMap(([place, name]) =>
      (all.get(name)?.[side] ?? []).map((at) => `${place}.${at}`.replace(/^\./, '')),
    ),
  ])
  return Object.fromEntries(rows.filter(([, list]) => list.length > 0))
}
