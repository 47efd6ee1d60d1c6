import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Contract,
  eachOperation,
  eachWebhook,
  generatedFolder,
  type OperationEntry,
  resolve,
  root,
  sandbox,
} from '../contract/contract.ts'
import { base } from './base.ts'
import { curlCommand } from './curl.ts'
import { escapeHtml } from './escape-html.ts'
import { examplesOf } from './example-list.ts'
import { codeBlock } from './highlight.ts'
import { codeLinkTo, heading, inline, lead, linkTo, list, type Page, staticHtml } from './html.ts'
import { operationPath, type Site, webhookPath } from './site.ts'

export const siteName = 'Financial Data Service'

/** The opening chapter: a short start and the areas, then `openapi/introduction.md`. */
export function startPage({ contract, links }: Site): Page {
  const chapter = readFileSync(join(root, 'openapi/introduction.md'), 'utf8')
  return {
    path: '',
    title: siteName,
    description: String(contract.info['description']),
    options: { titleTemplate: false, outline: 2 },
    parts: [
      staticHtml(
        heading(1, siteName, 'top'),
        lead(inline(contract.info.description, links)),
        heading(2, 'Quick start', 'quick-start'),
        codeBlock(quickStart(contract), 'sh'),
        forMachines,
        heading(2, 'Areas', 'areas'),
        areaCards(contract),
      ),
      { markdown: chapter.replace('<!-- webhooks -->', webhookTable(contract)) },
    ],
  }
}

/** The webhooks as a Markdown table, each with what its body tells. */
function webhookTable(contract: Contract): string {
  const rows = eachWebhook(contract).map(({ name, schema }) => {
    const [type, code] = name.split('.')
    const { description } = resolve(contract, schema)
    return `| \`${type}\` | [\`${code}\`](./${webhookPath(name)}) | ${description} |`
  })
  return ['| type | code | what it tells |', '|---|---|---|', ...rows].join('\n')
}

const forMachines = `<p>These docs are there for machines too: ${linkTo('llms.txt', 'an index')} of the pages as Markdown, and ${linkTo('llms-full.txt', 'all of them')} in one file.</p>`

/** Two commands: what starts the server that the contract names first, and a request to it. */
function quickStart(contract: Contract): string {
  const { path, operation } = eachOperation(contract).find(({ operation }) => {
    return operation.operationId === 'accountsGet'
  })!
  const body = examplesOf(contract, operation.requestBody.content)[0]!.value
  const [, start] = contract.servers[0]!.description.match(/`(.+?)`/)!
  return `npm ci && ${start}\n\n${curlCommand(contract, { path, body })}`
}

/** The operations of each area, in the contract's order. */
export function byArea(contract: Contract): [Contract['tags'][number], OperationEntry[]][] {
  const all = eachOperation(contract)
  return contract.tags.map((tag) => [
    tag,
    all.filter(({ operation }) => operation.tags[0] === tag.name),
  ])
}

function areaCards(contract: Contract): string {
  const cards = byArea(contract).map(([tag, all]) => {
    const count = all.length === 1 ? '1 operation' : `${all.length} operations`
    const link = linkTo(`operations/#${tag.name}`, escapeHtml(tag['x-displayName']))
    return `${link}<span>${escapeHtml(tag.description)}</span><span class="count">${count}</span>`
  })
  return list(cards, 'cards')
}

/** All operations on one page, by area. */
export function operationIndex(site: Site): Page {
  const count = eachOperation(site.contract).length
  const opening = `All ${count} operations by area. Each is a POST to its own path, with a JSON object as the body.`
  return indexPage(site, 'Operations', 'Every operation, by area.', [lead(opening)])
}

/** All sandbox endpoints on one page, by area. */
export function sandboxIndex(site: Site): Page {
  const { contract, links } = site
  const { description } = contract.info
  const summary = String(contract.info['summary' as 'description'])
  return indexPage(site, 'Control surface', summary, [
    lead(inline(description, links)),
    download(sandbox),
  ])
}

function indexPage(site: Site, title: string, description: string, opening: string[]): Page {
  const areas = byArea(site.contract)
  const sections = areas.flatMap(([tag, all]) => [
    heading(2, tag['x-displayName'], tag.name),
    `<p>${escapeHtml(tag.description)}</p>`,
    operationList(site, all),
  ])
  return {
    path: `${site.folder}/`,
    title,
    description,
    options: { outline: 2 },
    parts: [staticHtml(heading(1, title, site.folder), ...opening, ...sections)],
    sections: areas.map(([tag]) => ({
      anchor: tag.name,
      titles: [title, tag['x-displayName']],
      text: tag.description,
    })),
  }
}

/** Operations with their summaries, each with a link. */
export function operationList(site: Site, all: OperationEntry[]): string {
  const items = all.map(({ path, operation }) => {
    const link = codeLinkTo(operationPath(site, operation.operationId), path)
    return `${link} ${escapeHtml(operation.summary)}`
  })
  return list(items, 'plain-list')
}

/** A link to the bundle of a version or of the sandbox API, which the site serves. */
export function download(name: string): string {
  const { size } = statSync(join(generatedFolder(name), 'openapi.json'))
  const href = `${base}openapi/${name}.json`
  return `<p><a href="${href}" download="openapi-${name}.json">Download openapi.json of ${name}</a> (OpenAPI 3.1, ${Math.ceil(size / 1000).toLocaleString('en')} kB)</p>`
}
