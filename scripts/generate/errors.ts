import { type CatalogueEntry, readCatalogue } from '../contract/catalogue.ts'
import { sourceFolder, written } from '../contract/contract.ts'
import { ofPages } from '../contract/undated.ts'
import { declare, declareValue, writeSource } from './source.ts'

function row(entry: CatalogueEntry): Record<string, unknown> {
  const { value } = entry
  return {
    type: value['error_type'] ?? 'OAUTH',
    code: value['error_code'] ?? value['error'],
    status: entry['x-status'],
    message: value['error_message'] ?? value['error_description'],
    displayMessage: value['display_message'] ?? null,
    suggestedAction: value['suggested_action'] ?? null,
    retry: entry['x-retry'],
    meaning: entry.summary,
    action: entry['x-action'].trim(),
  }
}

/** Every error of every document, in the order of the keys. */
function all(): [key: string, entry: CatalogueEntry][] {
  const found = new Map<string, { document: string; entry: CatalogueEntry }>()
  for (const document of written) {
    for (const [key, entry] of Object.entries(readCatalogue(document))) {
      const other = found.get(key)?.document
      if (other) throw new Error(`${foldersOf(other, document)} both have ${key}`)
      found.set(key, { document, entry })
    }
  }
  const entries = [...found].map(([key, { entry }]): [string, CatalogueEntry] => [key, entry])
  return entries.sort(([a], [b]) => (a < b ? -1 : 1))
}

const foldersOf = (...documents: string[]): string =>
  documents.map((name) => `${sourceFolder(name)}/errors/`).join(' and ')

/** Writes the error catalog, the same for every version: what a server or client needs of a code. */
export function errors(): void {
  const catalogue = Object.fromEntries(all().map(([key, entry]) => [key, row(entry)]))
  writeSource('errors.ts', 'generate/errors.ts', [
    declareValue(
      'Every error of every document, by code, `TYPE.CODE` or `TYPE.CODE.STATUS`.',
      'errorCatalogue',
      catalogue,
    ),
    declare('A key of the catalogue.', 'type ErrorKey = keyof typeof errorCatalogue'),
    declare(
      'The codes that this release knows, of all operations.',
      "type KnownErrorCode = (typeof errorCatalogue)[ErrorKey]['code']",
    ).trimEnd(),
  ])
  for (const document of ofPages) errorsOfPages(document)
}

/** The errors that only operations of pages answer: neither the docs nor the client tell of them. */
function errorsOfPages(document: string): void {
  const own = Object.entries(readCatalogue(document)).map(([key, entry]) => [key, row(entry)])
  writeSource(`${document}/errors.ts`, 'generate/errors.ts', [
    declareValue(
      'The errors of this document alone, by code.',
      'errorCatalogue',
      Object.fromEntries(own),
    ).trimEnd(),
  ])
}
