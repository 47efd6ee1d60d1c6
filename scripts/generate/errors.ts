import { type CatalogueEntry, readCatalogue, readSandboxCatalogue } from '../contract/contract.ts'
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

/** Every error, in the order of the keys: those of the interface, and those of the sandbox API alone. */
function all(): [key: string, entry: CatalogueEntry][] {
  const catalogue = readCatalogue()
  const sandbox = readSandboxCatalogue()
  const clash = Object.keys(sandbox).find((key) => key in catalogue)
  if (clash) throw new Error(`openapi/errors/ and openapi/sandbox/errors/ both have ${clash}`)
  return Object.entries({ ...catalogue, ...sandbox }).sort(([a], [b]) => (a < b ? -1 : 1))
}

/** Writes the error catalogue, the same for every version: all that a server or client needs of a code. */
export function errors(): void {
  const catalogue = Object.fromEntries(all().map(([key, entry]) => [key, row(entry)]))
  writeSource('errors.ts', 'generate/errors.ts', [
    declareValue(
      'Every error of the interface and the control surface, by code, `TYPE.CODE` or `TYPE.CODE.STATUS`.',
      'errorCatalogue',
      catalogue,
    ),
    declare('A key of the catalogue.', 'type ErrorKey = keyof typeof errorCatalogue').trimEnd(),
  ])
}
