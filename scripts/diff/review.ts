import { compareBodies } from './bodies.ts'
import { compareCatalogue } from './catalogue.ts'
import { type Contracts, type Finding, join, toFinding } from './finding.ts'
import { canonical, meaningOf } from './meaning.ts'
import { comparePromises, compareServers } from './operation-guarantees.ts'
import { pairOperations } from './operations.ts'

/** What changed between two readings of the documents, by their names. */
export const review = (documents: Map<string, Contracts>): Finding[] =>
  join(
    [...documents].flatMap(([name, contracts]) =>
      isChanged(contracts) ? reviewOne(name, contracts) : [],
    ),
  )

export const isChanged = ({ before, after }: Contracts): boolean =>
  canonical(meaningOf(before)) !== canonical(meaningOf(after)) ||
  compareCatalogue({ before, after }).length > 0

export function reviewOne(name: string, contracts: Contracts): Finding[] {
  const { pairs, found } = pairOperations(contracts)
  const all = [
    ...found,
    ...compareBodies(contracts, pairs),
    ...comparePromises(contracts, pairs),
    ...compareServers(contracts),
    ...compareCatalogue(contracts),
  ]
  return join(all.map((one) => toFinding(one, name)))
}
