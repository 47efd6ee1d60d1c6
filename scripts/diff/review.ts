import { compareBodies } from './bodies.ts'
import { compareCatalogue } from './catalogue.ts'
import { type Contracts, type Finding, join, toFinding } from './finding.ts'
import { canonical, meaningOf } from './meaning.ts'
import { pairOperations } from './operations.ts'
import { comparePromises } from './promises.ts'
import { askRedocly, type RedoclyChange } from './redocly.ts'
import { reword } from './reword.ts'

/** What changed between two readings of the documents, by their names. */
export function review(documents: Map<string, Contracts>): Finding[] {
  const changed = new Map([...documents].filter(([, contracts]) => isChanged(contracts)))
  if (changed.size === 0) return []
  const rated = askRedocly(changed)
  return join(
    [...changed].flatMap(([name, contracts]) => reviewOne(name, contracts, rated.get(name) ?? [])),
  )
}

export const isChanged = ({ before, after }: Contracts): boolean =>
  canonical(meaningOf(before)) !== canonical(meaningOf(after)) ||
  compareCatalogue({ before, after }).length > 0

export function reviewOne(name: string, contracts: Contracts, rated: RedoclyChange[]): Finding[] {
  const { pairs, told } = pairOperations(contracts)
  const all = [
    ...told,
    ...compareBodies(contracts, pairs),
    ...comparePromises(contracts, pairs),
    ...compareCatalogue(contracts),
    ...rated.flatMap((change) => reword(contracts, change)),
  ]
  return join(all.map((one) => toFinding(one, name)))
}
