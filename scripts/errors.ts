import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { banner, type CatalogueEntry, readCatalogue, root } from './contract.ts'

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

/** Writes the error catalogue, the same for every version: all that a server or client needs of a code. */
export function errors(): void {
  const catalogue = Object.entries(readCatalogue()).map(([key, entry]) => [key, row(entry)])
  const source = [
    banner('errors.ts'),
    '/** Every error of the interface, by code, `TYPE.CODE` or `TYPE.CODE.STATUS`. */\n',
    `export const errorCatalogue = ${JSON.stringify(Object.fromEntries(catalogue), null, 2)} as const\n`,
    '\n/** A key of the catalogue. */\n',
    'export type ErrorKey = keyof typeof errorCatalogue\n',
  ]
  writeFileSync(join(root, 'generated/errors.ts'), source.join(''))
}
