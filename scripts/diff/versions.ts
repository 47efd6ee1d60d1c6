import type { Contract } from '../contract/contract.ts'
import { split } from '../contract/split.ts'
import { describeUndated, isUndated } from '../contract/undated.ts'
import { type Contracts, type Finding, toFinding, wholeChange } from './finding.ts'
import type { KindName } from './verdicts.ts'

type Bundles = ReadonlyMap<string, Contract>

/** The documents that are there before and after. */
export function documentsOfBoth(before: Bundles, after: Bundles): Map<string, Contracts> {
  const both = [...after].filter(([name]) => before.has(name))
  return new Map(both.map(([name, now]) => [name, { before: before.get(name)!, after: now }]))
}

/** What happened to the versions themselves. */
export function compareVersions(before: Bundles, after: Bundles): Finding[] {
  const { gone, added } = split(before.keys(), after.keys())
  const [old, now] = [newest(before), newest(after)]
  const tell = (kind: KindName, document: string, words: string) =>
    toFinding(wholeChange(kind, '', words, '/info'), document)
  const requests = `requests that name no version, of clients without a default, get \`${now}\` now`
  return [
    ...gone.map((name) => tell('version removed', name, `${nameOf(name)} is gone`)),
    ...added.map((name) => tell('version added', name, `${nameOf(name)} is new`)),
    ...(old !== now && now
      ? [tell('newest version changed', now, `${requests}, not \`${old}\``)]
      : []),
  ]
}

const nameOf = (document: string): string =>
  isUndated(document) ? describeUndated(document).title : `version \`${document}\``

const newest = (bundles: Bundles): string | undefined =>
  [...bundles.keys()]
    .filter((name) => !isUndated(name))
    .sort()
    .at(-1)
