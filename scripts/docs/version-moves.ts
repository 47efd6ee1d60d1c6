import { readBundle } from '../contract/contract.ts'
import { compareVersions, type Difference } from './compare-versions.ts'

/** The way from one version to a newer one. */
export interface Move {
  from: string
  to: string
  differences: Difference[]
}

/** From each version to the next, and to the newest; the versions are oldest first. */
export function movesBetween(versions: string[]): Move[] {
  const bundles = new Map(versions.map((version) => [version, readBundle(version)]))
  const newest = versions.at(-1) as string
  return versions.slice(0, -1).flatMap((from, index) => {
    const targets = new Set([versions[index + 1] as string, newest])
    return [...targets].map((to) => {
      return { from, to, differences: compareVersions(bundles.get(from)!, bundles.get(to)!) }
    })
  })
}

export const movePath = ({ from, to }: Move): string => `versions/${from}-to-${to}/`
export const moveTitle = ({ from, to }: Move): string => `From ${from} to ${to}`
