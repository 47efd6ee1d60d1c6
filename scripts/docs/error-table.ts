import type { OperationObject } from '../contract/contract.ts'
import { base } from './base.ts'
import { errorsOf } from '../contract/error-keys.ts'
import { breakable, inline } from './html.ts'
import { codeOf, errorPath, retryLabels, type Site } from './site.ts'

/** The errors of an operation, by status, each with a link. */
export function errorTable(site: Site, operation: OperationObject): string {
  const groups = errorsOf(site.contract, operation)
  const named = new Set(
    groups.filter(([status]) => status !== 'default').flatMap(([, keys]) => keys),
  )
  const rows = groups
    .flatMap(([, keys], index) =>
      keys.map((key) => ({ key, numbered: groups[index]![0] !== 'default' })),
    )
    // `default` also lists what is named above, and what no request leads to.
    .filter(({ key, numbered }) => numbered || (!named.has(key) && !isUnreachable(site, key)))
    .map(({ key }) => errorRow(site, key))
  return table(rows)
}

const isUnreachable = ({ catalogue }: Site, key: string): boolean =>
  catalogue[key]?.['x-unreachable'] !== undefined

/** The table of errors that operation pages and the index share. */
export const table = (rows: string[]): string =>
  `<table class="errors"><thead><tr><th scope="col">Error</th><th scope="col">Status</th><th scope="col">Repeat?</th></tr></thead><tbody>\n${rows.join('\n')}\n</tbody></table>`

export function errorRow({ catalogue, links }: Site, key: string, id?: string): string {
  const entry = catalogue[key]
  if (!entry) throw new Error(`the contract names the error ${key}, which has no file`)
  const code = `<a href="${base}${errorPath(key)}"><code>${breakable(codeOf(entry))}</code></a>`
  const meaning = `<span class="meaning">${inline(entry.summary, links)}</span>`
  const anchor = id ? ` id="${id}"` : ''
  return `<tr${anchor}><td>${code}${meaning}</td><td>${entry['x-status']}</td><td>${retryLabels[entry['x-retry']]}</td></tr>`
}
