import { globSync } from 'node:fs'
import { join } from 'node:path'
import { currentVersion, type Example, fillVersions, sourceFolder, written } from './contract.ts'
import { base } from './place.ts'
import { readYaml } from './yaml-source.ts'

/** One entry of the error catalogue: an Example Object of `openapi/errors/`, or of another document's. */
export interface CatalogueEntry extends Example {
  summary: string
  description: string
  'x-status': number
  'x-retry': 'never' | 'later' | 'after-action'
  'x-action': string
  'x-unreachable'?: string
  value: Record<string, unknown>
}

type Catalogue = Record<string, CatalogueEntry>

/** The errors that a document describes, by key, in the order of the file names. */
export function readCatalogue(document: string = currentVersion): Catalogue {
  const folder = `${sourceFolder(document)}/errors`
  const files = globSync('*.yaml', { cwd: join(base, folder) })
  return Object.fromEntries(
    files.sort().map((file) => {
      const text = JSON.stringify(readYaml(base, `${folder}/${file}`))
      return [file.replace(/\.yaml$/, ''), JSON.parse(fillVersions(text))]
    }),
  )
}

/** The errors of all documents. */
export const readWholeCatalogue = (): Catalogue =>
  Object.assign({}, ...written.map((document) => readCatalogue(document)))
