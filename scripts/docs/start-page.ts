import {
  type Contract,
  currentVersion,
  interfaceTitle,
  sourceFolder,
} from '../contract/contract.ts'
import { ContractError } from '../contract/contract-error.ts'
import { isOwn } from '../contract/place.ts'
import { settings } from '../contract/settings.ts'
import { curlCommand } from './curl.ts'
import { overviewDiagram } from './diagrams.ts'
import { escapeHtml } from './escape-html.ts'
import { hasPart } from './has-part.ts'
import { codeBlock } from './highlight.ts'
import { heading, lead, linkTo, list, type Page, staticHtml } from './html.ts'
import { byArea } from './index-pages.ts'
import { readers } from './readers.ts'
import { shownOperation } from './shown-operation.ts'
import type { Site } from './site.ts'

/** The first page: what the service is, how to start it, and where each kind of reader begins. */
export function startPage({ contract }: Site): Page {
  return {
    path: '',
    title: interfaceTitle,
    description: String(contract.info['description']),
    options: { titleTemplate: false, outline: 2, pageClass: 'wide' },
    parts: [
      staticHtml(heading(1, interfaceTitle, 'top'), lead(escapeHtml(settings.docs.lead))),
      ...(hasPart('guides') ? [{ markdown: overviewDiagram() }] : []),
      staticHtml(
        heading(2, 'Quick start', 'quick-start'),
        codeBlock(quickStart(contract), 'sh'),
        ...(hasPart('guides')
          ? [heading(2, 'Where to begin', 'where-to-begin'), readerCards()]
          : []),
        heading(2, 'Areas', 'areas'),
        areaCards(contract),
        heading(2, 'For programs', 'for-programs'),
        forMachines(),
      ),
    ],
  }
}

function forMachines(): string {
  const markdown = `Every page is also available as Markdown: ${linkTo('llms.txt', 'an index')} of the pages, and ${linkTo('llms-full.txt', 'all of them')} in one file.`
  return `<p>${markdown}${hasPart('guides') ? agents : ''}</p>`
}

const agents = ` An agent asks a running service by the Model Context Protocol, at <code>/mcp</code>: ${linkTo('guides/ask-it/', 'Ask it')}.`

/** Two commands: what starts the server that the contract names first, and a request to it. */
function quickStart(contract: Contract): string {
  const { path, body } = shownOperation(contract)
  const [, start] = contract.servers[0]?.description?.match(/`(.+?)`/) ?? []
  if (start === undefined) {
    const needed =
      'the description of the first server needs the command that starts it, in backticks'
    throw new ContractError([`${sourceFolder(currentVersion)}/openapi.yaml:1: ${needed}`])
  }
  // The package of another contract has no lock file.
  return `npm ${isOwn ? 'ci' : 'install'} && ${start}\n\n${curlCommand(contract, { path, body })}`
}

function readerCards(): string {
  const cards = readers().map(({ who, gets, guide }) => {
    return `<strong>${who}</strong><span>${escapeHtml(gets)}</span>${linkTo(guide.path, escapeHtml(guide.title))}`
  })
  return list(cards, 'cards readers')
}

function areaCards(contract: Contract): string {
  const cards = byArea(contract).map(([tag, all]) => {
    const count = all.length === 1 ? '1 operation' : `${all.length} operations`
    const link = linkTo(`operations/#${tag.name}`, escapeHtml(tag['x-displayName']))
    return `${link}<span>${escapeHtml(tag.description)}</span><span class="count">${count}</span>`
  })
  return list(cards, 'cards')
}
