import { type Contract, sandbox } from '../contract/contract.ts'
import { split } from '../contract/split.ts'
import { type Contracts, type Finding, toFinding, wholeFinding } from './finding.ts'
import type { KindName } from './verdicts.ts'

type Bundles = Map<string, Contract>

/** The documents that are there before and after. */
export function documentsOfBoth(before: Bundles, after: Bundles): Map<string, Contracts> {
  return new Map(
    [...after].flatMap(([name, now]): [string, Contracts][] => {
      const old = before.get(name)
      return old ? [[name, { before: old, after: now }]] : []
    }),
  )
}

/** What happened to the versions themselves. */
export function compareVersions(before: Bundles, after: Bundles): Finding[] {
  const { gone, added } = split(before.keys(), after.keys())
  const [old, now] = [newest(before), newest(after)]
  const tell = (kind: KindName, document: string, words: string) =>
    toFinding(wholeFinding(kind, '', words, '/info'), document)
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
  document === sandbox ? 'the control surface' : `version \`${document}\``

const newest = (bundles: Bundles): string | undefined =>
  [...bundles.keys()]
    .filter((name) => name !== sandbox)
    .sort()
    .at(-1)
