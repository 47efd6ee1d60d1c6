import type { OperationObject } from '../contract/contract.ts'
import { errorsOf, numberedErrorsOf } from '../contract/error-keys.ts'
import { codeLinkTo, inline, type Row, table } from './html.ts'
import { codeOf, errorPath, retryLabels, type Site } from './site.ts'

/** The errors of an operation, by status, each with a link. */
export function errorTable(site: Site, operation: OperationObject): string {
  const named = numberedErrorsOf(site.contract, operation).flatMap(([, keys]) => keys)
  const listed = errorsOf(site.contract, operation).flatMap(([, keys]) => keys)
  // `default` also lists what is named by a status, and what no request leads to.
  const others = listed.filter((key) => {
    return !named.includes(key) && !site.catalogue[key]?.['x-unreachable']
  })
  return tableOfErrors([...named, ...others].map((key) => errorRow(site, key)))
}

/** The table of errors that operation pages and the index share. */
export const tableOfErrors = (rows: Row[]): string =>
  table('errors', ['Error', 'Status', 'Repeat?'], rows)

export function errorRow({ catalogue, links }: Site, key: string, id?: string): Row {
  const entry = catalogue[key]
  if (!entry) throw new Error(`the contract names the error ${key}, which has no file`)
  const meaning = `<span class="meaning">${inline(entry.summary, links)}</span>`
  const code = codeLinkTo(errorPath(key), codeOf(entry))
  return { id, cells: [code + meaning, entry['x-status'], retryLabels[entry['x-retry']]] }
}
