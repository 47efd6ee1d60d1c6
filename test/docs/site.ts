import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readWholeCatalogue } from '../../scripts/contract/catalogue.ts'
import {
  written as documents,
  eachOperation,
  eachWebhook,
  readBundle,
  root,
} from '../../scripts/contract/contract.ts'
import { folderOf } from '../../scripts/docs/site.ts'

/** The folder of the built site. */
export const siteFolder = join(root, 'dist/docs')
if (!existsSync(join(siteFolder, 'index.html'))) {
  throw new Error('dist/docs is not there: run `npm run docs` first')
}

export const contract = readBundle()
export const operations = eachOperation(contract)
export const catalogue = Object.entries(readWholeCatalogue())

/** Every webhook of every document. */
export const webhooks = documents.flatMap((name) => {
  const from = readBundle(name)
  return eachWebhook(from).map((entry) => ({ ...entry, from }))
})

/** Every operation of every document, with the folder of its page. */
export const written = documents.flatMap((name) => {
  const from = readBundle(name)
  return eachOperation(from).map((entry) => ({ ...entry, from, area: folderOf(name) }))
})

export const read = (file: string): string => readFileSync(join(siteFolder, file), 'utf8')
export const html = (path: string): string => read(join(path, 'index.html'))

/** What is in the middle of a page, without the bars around it. */
export const mainOf = (source: string): string =>
  source.slice(source.indexOf('<main'), source.indexOf('</main>'))

export const idsOf = (source: string): string[] =>
  [...source.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!)

/** The path of every page, as its address has it below the base. */
export const everyPath: string[] = globSync('**/index.html', { cwd: siteFolder })
  .map((file) => file.replace(/index\.html$/, ''))
  .sort()
