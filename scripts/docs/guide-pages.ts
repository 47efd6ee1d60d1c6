import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Contract, eachOperation, type OperationEntry, root } from '../contract.ts'
import { curlCommand } from './curl.ts'
import { examplesOf } from './example-list.ts'
import { codeBlock } from './highlight.ts'
import { base, breakable, escapeHtml, heading, inline, type Page, staticHtml } from './html.ts'
import { operationPath, type Site } from './site.ts'

const siteName = 'Financial Data Service'

/** The opening chapter: a short start and the areas, then `openapi/introduction.md`. */
export function guidePage({ contract, links }: Site): Page {
  const chapter = readFileSync(join(root, 'openapi/introduction.md'), 'utf8')
  return {
    path: '',
    title: siteName,
    description: String(contract.info['description']),
    options: { titleTemplate: false, outline: 2 },
    parts: [
      staticHtml(
        heading(1, siteName, 'top'),
        `<p class="lead">${inline(contract.info.description, links)}</p>`,
        heading(2, 'Quick start', 'quick-start'),
        codeBlock(quickStart(contract), 'sh'),
        heading(2, 'Areas', 'areas'),
        areaCards(contract),
      ),
      { markdown: chapter },
    ],
  }
}

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
    const href = `${base}operations/#${tag.name}`
    const count = all.length === 1 ? '1 operation' : `${all.length} operations`
    return `<li><a href="${href}">${escapeHtml(tag['x-displayName'])}</a><span>${escapeHtml(tag.description)}</span><span class="count">${count}</span></li>`
  })
  return `<ul class="cards">${cards.join('')}</ul>`
}

/** All operations on one page, by area. */
export function operationIndex({ contract }: Site): Page {
  const sections = byArea(contract).flatMap(([tag, all]) => [
    heading(2, tag['x-displayName'], tag.name),
    `<p>${escapeHtml(tag.description)}</p>`,
    `<ul class="plain-list">${all.map(line).join('')}</ul>`,
  ])
  return {
    path: 'operations/',
    title: 'Operations',
    description: 'Every operation, by area.',
    options: { outline: 2 },
    parts: [
      staticHtml(
        heading(1, 'Operations', 'operations'),
        `<p class="lead">All ${eachOperation(contract).length} operations by area. Each is a POST to its own path, with a JSON object as the body.</p>`,
        ...sections,
      ),
    ],
    sections: byArea(contract).map(([tag]) => ({
      anchor: tag.name,
      titles: ['Operations', tag['x-displayName']],
      text: tag.description,
    })),
  }
}

function line({ path, operation }: OperationEntry): string {
  const href = base + operationPath(operation.operationId)
  return `<li><a href="${href}"><code>${breakable(path)}</code></a> ${escapeHtml(operation.summary)}</li>`
}
