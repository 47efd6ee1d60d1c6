import type { Contract } from '../contract/contract.ts'
import { describeUndated, isUndated } from '../contract/undated.ts'
import type { Contracts } from './finding.ts'

type Bundles = ReadonlyMap<string, Contract>

/** An operation that another document has now. */
export interface Move {
  /** The document that has it now. */
  home: string
  /** Both documents, with this operation alone. */
  contracts: Contracts
}

/** The operations that are at their paths still, and in another document: callers keep them. */
export function findMoves(before: Bundles, after: Bundles): Move[] {
  return [...before].flatMap(([name, contract]) => {
    const left = after.get(name)
    if (!left) return []
    const gone = Object.keys(contract.paths).filter((path) => !(path in left.paths))
    return gone.flatMap((path) => {
      const [home, there] = [...after].find(([, other]) => path in other.paths) ?? []
      if (!home || !there || before.get(home)?.paths[path]) return []
      const theirs = only(contract, path)
      const ours = only(there, path)
      return [{ home, contracts: { before: wasCalled(name, theirs, ours), after: ours } }]
    })
  })
}

/** The documents before, without what moved, and without the types that went along. */
export function withoutMoved(before: Bundles, after: Bundles, moves: readonly Move[]): Bundles {
  const paths = new Set(moves.flatMap(({ contracts }) => Object.keys(contracts.before.paths)))
  const types = new Set(
    moves.flatMap(({ contracts }) => Object.keys(contracts.after.components.schemas)),
  )
  return new Map(
    [...before].map(([name, contract]) => {
      const { schemas } = after.get(name)?.components ?? contract.components
      const kept = Object.entries(contract.components.schemas).filter(
        ([type]) => type in schemas || !types.has(type),
      )
      const rest = Object.entries(contract.paths).filter(
        ([path]) => !paths.has(path) || path in (after.get(name)?.paths ?? {}),
      )
      const components = { ...contract.components, schemas: Object.fromEntries(kept) }
      return [name, { ...contract, paths: Object.fromEntries(rest), components }]
    }),
  )
}

/** Production did not have an operation of the sandbox API, so its limits there are new to nobody. */
function wasCalled(document: string, theirs: Contract, ours: Contract): Contract {
  if (!isUndated(document) || describeUndated(document).production) return theirs
  const copy = structuredClone(theirs)
  for (const [path, { post }] of Object.entries(copy.paths)) {
    const { production } = ours.paths[path]!.post['x-rate-limits'] as { production?: object }
    const own = post['x-rate-limits'] as object
    post['x-rate-limits'] = production ? { ...own, production } : own
  }
  return copy
}

const only = (contract: Contract, path: string): Contract => ({
  ...contract,
  paths: { [path]: contract.paths[path]! },
  webhooks: {},
})
