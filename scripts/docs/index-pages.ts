import { statSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Contract,
  eachOperation,
  eachWebhook,
  generatedFolder,
  type OperationEntry,
  type WebhookEntry,
} from '../contract/contract.ts'
import { describeUndated } from '../contract/undated.ts'
import { base } from './base.ts'
import { escapeHtml } from './escape-html.ts'
import { codeLinkTo, heading, inline, lead, list, type Page, staticHtml } from './html.ts'
import { operationPath, type Site, webhookPath } from './site.ts'

/** The operations of each area, in the contract's order. */
export function byArea(contract: Contract): [Contract['tags'][number], OperationEntry[]][] {
  const all = eachOperation(contract)
  return contract.tags.flatMap((tag) => {
    const own = all.filter(({ operation }) => operation.tags[0] === tag.name)
    // Some tags have webhooks only, which are listed with the other webhooks.
    return own.length > 0 ? [[tag, own]] : []
  })
}

/** All operations on one page, by area. */
export function operationIndex(site: Site): Page {
  const count = eachOperation(site.contract).length
  const opening = `All ${count} operations by area. Each is a POST to its own path, with a JSON object as the body.`
  return indexPage(site, 'Operations', 'Every operation, by area.', [lead(opening)])
}

/** All operations of a document without versions on one page, by area. */
export function undatedIndex(site: Site): Page {
  const { contract, links } = site
  const name = site.folder
  const { description } = contract.info
  const summary = String(contract.info['summary' as 'description'])
  return indexPage(site, describeUndated(name).page, summary, [
    lead(inline(description, links)),
    download(name),
  ])
}

function indexPage(site: Site, title: string, description: string, opening: string[]): Page {
  const areas = byArea(site.contract)
  const others = webhookAreas(site)
  const sections = areas.flatMap(([tag, all]) => [
    heading(2, tag['x-displayName'], tag.name),
    `<p>${escapeHtml(tag.description)}</p>`,
    operationList(site, all),
  ])
  const told = others.flatMap(([tag, all]) => [
    heading(2, tag['x-displayName'], tag.name),
    `<p>${escapeHtml(tag.description)}</p>`,
    list(
      all.map(({ name }) => codeLinkTo(webhookPath(name), name)),
      'plain-list',
    ),
  ])
  return {
    path: `${site.folder}/`,
    title,
    description,
    options: { outline: 2 },
    parts: [staticHtml(heading(1, title, site.folder), ...opening, ...sections, ...told)],
    sections: [...areas, ...others].map(([tag]) => ({
      anchor: tag.name,
      titles: [title, tag['x-displayName']],
      text: tag.description,
    })),
  }
}

/** The areas of a document without versions that have webhooks only. */
function webhookAreas(site: Site): [Contract['tags'][number], WebhookEntry[]][] {
  if (site.folder === 'operations') return []
  const withOperations = new Set(byArea(site.contract).map(([{ name }]) => name))
  const all = eachWebhook(site.contract)
  return site.contract.tags
    .filter(({ name }) => !withOperations.has(name))
    .map((tag) => [tag, all.filter(({ webhook }) => webhook.tags[0] === tag.name)])
}

/** Operations with their summaries, each with a link. */
export function operationList(site: Site, all: OperationEntry[]): string {
  const items = all.map(({ path, operation }) => {
    const link = codeLinkTo(operationPath(site, operation.operationId), path)
    return `${link} ${escapeHtml(operation.summary)}`
  })
  return list(items, 'plain-list')
}

/** A link to the bundle of a document, which the site serves. */
export function download(name: string): string {
  const { size } = statSync(join(generatedFolder(name), 'openapi.json'))
  const href = `${base}openapi/${name}.json`
  return `<p><a href="${href}" download="openapi-${name}.json">Download openapi.json of ${name}</a> (OpenAPI 3.1, ${Math.ceil(size / 1000).toLocaleString('en')} kB)</p>`
}
