import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../contract/contract.ts'

/** A section of CHANGELOG.md. */
export interface Release {
  version: string
  /** The day of the release; undefined while it is not out. */
  date?: string
  /** What changed, as Markdown with headings of the third level. */
  markdown: string
}

/** The releases of the package, newest first. */
export const readReleases = (): Release[] =>
  releasesIn(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'))

export function releasesIn(changelog: string): Release[] {
  const [, ...sections] = changelog.split(/^## /m)
  return sections.map((section) => {
    const [heading = '', ...lines] = section.split('\n')
    const [, version, when] = heading.match(/^(\S+) – (\d{4}-\d\d-\d\d|Unreleased)$/) ?? []
    if (!version || !when) {
      throw new Error(`CHANGELOG.md: "## ${heading}" is no "## VERSION – DATE" or "– Unreleased"`)
    }
    const release = { version, markdown: lines.join('\n').trim() }
    return when === 'Unreleased' ? release : { ...release, date: when }
  })
}

export const releaseAnchor = ({ version }: Release): string => `v${version.replaceAll('.', '-')}`
