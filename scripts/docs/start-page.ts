import { type Contract, eachOperation } from '../contract/contract.ts'
import { curlCommand } from './curl.ts'
import { overviewDiagram } from './diagrams.ts'
import { escapeHtml } from './escape-html.ts'
import { examplesOf } from './example-list.ts'
import { codeBlock } from './highlight.ts'
import { heading, lead, linkTo, list, type Page, staticHtml } from './html.ts'
import { byArea } from './index-pages.ts'
import { readers } from './readers.ts'
import type { Site } from './site.ts'

export const siteName = 'Financial Data Service'

const whatItIs =
  'Access to people&#39;s financial accounts over HTTP and JSON. One OpenAPI description is written by hand; the service, the mock, the typed client, the validators and these docs derive from it.'

/** The first page: what the service is, how to start it, and where each kind of reader begins. */
export function startPage({ contract }: Site): Page {
  return {
    path: '',
    title: siteName,
    description: String(contract.info['description']),
    options: { titleTemplate: false, outline: 2, pageClass: 'wide' },
    parts: [
      staticHtml(heading(1, siteName, 'top'), lead(whatItIs)),
      { markdown: overviewDiagram() },
      staticHtml(
        heading(2, 'Quick start', 'quick-start'),
        codeBlock(quickStart(contract), 'sh'),
        heading(2, 'Where to begin', 'where-to-begin'),
        readerCards(),
        heading(2, 'Areas', 'areas'),
        areaCards(contract),
        heading(2, 'For programs', 'for-programs'),
        forMachines,
      ),
    ],
  }
}

const forMachines = `<p>Every page is also available as Markdown: ${linkTo('llms.txt', 'an index')} of the pages, and ${linkTo('llms-full.txt', 'all of them')} in one file. An agent asks a running service by the Model Context Protocol, at <code>/mcp</code>: ${linkTo('guides/ask-it/', 'Ask it')}.</p>`

/** Two commands: what starts the server that the contract names first, and a request to it. */
function quickStart(contract: Contract): string {
  const { path, operation } = eachOperation(contract).find(({ operation }) => {
    return operation.operationId === 'accountsGet'
  })!
  const body = examplesOf(contract, operation.requestBody.content)[0]!.value
  const [, start] = contract.servers[0]!.description.match(/`(.+?)`/)!
  return `npm ci && ${start}\n\n${curlCommand(contract, { path, body })}`
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
