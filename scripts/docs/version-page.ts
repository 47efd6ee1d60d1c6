import { currentVersion, resolve, versions } from '../contract/contract.ts'
import { sentenceOf } from './change-words.ts'
import type { Difference } from './compare-versions.ts'
import { curlCommand } from './curl.ts'
import { codeBlock } from './highlight.ts'
import { codeLink, heading, inline, lead, list, type Page, staticHtml } from './html.ts'
import { download } from './index-pages.ts'
import { moveList } from './move-pages.ts'
import { shownOperation } from './shown-operation.ts'
import type { Site } from './site.ts'

/** The page of the dated versions, which tells what each older one has differently. */
export function versionPage(site: Site): Page {
  const newestFirst = versions.toReversed()
  return {
    path: 'versions/',
    title: 'Versions',
    description: 'The dated versions of the interface, and how they differ.',
    options: { outline: 2 },
    parts: [
      staticHtml(
        heading(1, 'Versions', 'versions'),
        choosing(site),
        heading(2, 'Side by side', 'side-by-side'),
        '<p>Each of these pages lists what differs between two versions:</p>',
        moveList(site),
        ...newestFirst.map((version) => versionSection(site, version)),
      ),
    ],
    sections: newestFirst.map((version) => ({
      anchor: version,
      titles: ['Versions', version],
      text: (site.differences.get(version) ?? []).map(({ name }) => name).join(' '),
    })),
  }
}

function choosing({ contract, links }: Site): string {
  const { path, operation, body } = shownOperation(contract)
  const header = resolve(contract, operation.parameters![0]!) as {
    name: string
    description: string
  }
  const headers = { [header.name]: versions[0]! }
  return [
    lead(`A version is a date. ${inline(header.description, links)}`),
    heading(2, 'Choosing a version', 'choosing'),
    `<p>Send the header <code>${header.name}</code>:</p>`,
    codeBlock(curlCommand(contract, { path, headers, body }), 'sh'),
  ].join('\n')
}

function versionSection(site: Site, version: string): string {
  const current = version === currentVersion
  return [
    heading(2, current ? `${version}, the current version` : version, version),
    download(version),
    current
      ? '<p>All pages of these docs describe this version.</p>'
      : differences(site, version, site.differences.get(version) ?? []),
  ].join('\n')
}

function differences({ links }: Site, version: string, all: Difference[]): string {
  if (all.length === 0) return '<p>Does not differ.</p>'
  const items = all.map(({ operationId, name, changes }) => {
    const id = operationId ? ` id="${version}.${operationId}"` : ''
    const lines = changes.map((change) => inline(sentenceOf(change), links))
    return `<li${id}>${codeLink(name, links)}${list(lines)}</li>`
  })
  return `<p>Compared with ${currentVersion}, in this version:</p>\n<ul class="differences">\n${items.join('\n')}\n</ul>`
}
