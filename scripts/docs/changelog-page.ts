import { versions } from '../contract/contract.ts'
import { codeLink, heading, lead, linkTo, list, type Page, staticHtml } from './html.ts'
import { type Release, readReleases, releaseAnchor } from './releases.ts'
import type { Site } from './site.ts'
import { type Move, movePath } from './version-moves.ts'

export const changelogPath = 'changelog/'
export const feedFile = 'changelog.atom'

/** What changed for callers: with each dated version, and with each release of the package. */
export function changelogPage(site: Site): Page {
  return {
    path: changelogPath,
    source: 'CHANGELOG.md',
    title: 'Changelog',
    description: 'What changed for callers, with each dated version and with each release.',
    options: { outline: [2, 3] },
    parts: [
      staticHtml(
        heading(1, 'Changelog', 'changelog'),
        lead(
          `This page lists the changes that a caller can notice. The interface has dated versions, and each request chooses one. The package has releases. Both are in the ${linkTo(feedFile, 'feed')}.`,
        ),
        heading(2, 'Versions of the interface', 'versions'),
        ...versions.toReversed().map((version) => ofVersion(site, version)),
      ),
      { markdown: ['## Releases of the package', ...readReleases().map(release)].join('\n\n') },
    ],
  }
}

/** The step by which a version replaced the one before; the first one has none. */
export const stepTo = ({ moves }: Site, version: string): Move | undefined =>
  moves.findLast(({ to }) => to === version)

function ofVersion(site: Site, version: string): string {
  const step = stepTo(site, version)
  const text = step ? changesOf(site, step) : '<p>The first version.</p>'
  return `${heading(3, version, version)}\n${text}`
}

/** The operations that a new version changes; a page of its own has the details. */
export function changesOf({ links }: Site, step: Move): string {
  const names = step.differences.map(({ name }) => codeLink(name, links))
  const page = linkTo(movePath(step), `side by side with ${step.from}`)
  return `<p>This version changes these, shown ${page}:</p>\n${list(names)}`
}

/** A release, one level further down than in CHANGELOG.md. */
function release(of: Release): string {
  const title = `### ${of.version}, ${of.date ?? 'not released yet'} {#${releaseAnchor(of)}}`
  return [title, of.markdown.replaceAll(/^(#+) /gm, '$1# ')].join('\n\n')
}
