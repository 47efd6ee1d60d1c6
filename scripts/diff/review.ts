import { compareBodies } from './bodies.ts'
import { compareCatalogue } from './catalogue.ts'
import { type Contracts, type Finding, joinEqual, toFinding } from './finding.ts'
import type { Move } from './moves.ts'
import { comparePromises, compareServers } from './operation-guarantees.ts'
import { pairOperations } from './operations.ts'
import { compareTypeNames } from './type-names.ts'

/** What changed between two readings of the documents, by their names. */
export const review = (documents: Map<string, Contracts>): Finding[] =>
  joinEqual([...documents].flatMap(([name, contracts]) => reviewOne(name, contracts)))

/** What changed of an operation as it moved to another document. */
export function reviewMove({ home, contracts }: Move): Finding[] {
  const { pairs } = pairOperations(contracts)
  const all = [...compareBodies(contracts, pairs), ...comparePromises(contracts, pairs)]
  return joinEqual(all.map((one) => toFinding(one, home)))
}

export function reviewOne(name: string, contracts: Contracts): Finding[] {
  const { pairs, found } = pairOperations(contracts)
  const all = [
    ...found,
    ...compareBodies(contracts, pairs),
    ...comparePromises(contracts, pairs),
    ...compareServers(contracts),
    ...compareCatalogue(contracts),
    ...compareTypeNames(contracts),
  ]
  return joinEqual(all.map((one) => toFinding(one, name)))
}
