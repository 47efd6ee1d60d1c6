import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { documents, generatedFolder, root } from '../contract/contract.ts'
import { isOwn } from '../contract/place.ts'
import { categoriesSchemaFile } from '../generate/categories-schema.ts'
import { gatewaySchemaFile } from '../generate/gateway-schema.ts'
import { institutionsSchemaFile } from '../generate/institutions-schema.ts'
import { mappingSchemaFile } from '../generate/mapping-schema.ts'
import { worldSchemaFile } from '../generate/world-schema.ts'
import { feedFile } from './changelog-page.ts'
import { ownRepository } from './edit-link.ts'
import { everyPage } from './every-page.ts'
import { exampleRequests } from './example-requests.ts'
import { changelogFeed } from './feed.ts'
import { hasPart } from './has-part.ts'
import { llmsFull, llmsIndex } from './llms.ts'
import { siteRenderer } from './markdown-renderer.ts'
import { markdownOf } from './markdown-version.ts'
import { type File, filesOf } from './page-files.ts'
import { pagesFolder } from './pages-folder.ts'
import { readSite } from './site.ts'

/**
 * Writes every page, touching only what changed, and returns how many pages there are. Before that,
 * `check` is given their paths.
 */
export async function writePages(check?: (paths: string[]) => void): Promise<number> {
  const site = readSite()
  const repository = ownRepository()
  const all = everyPage(site)
  check?.(all.map(({ path }) => path))
  const pages = all.map((page) => ({ ...page, text: markdownOf(page) }))
  const markdown = await siteRenderer(site.links)
  const feed: File[] = hasPart('changelog')
    ? [[join('public', feedFile), changelogFeed(site, (text) => markdown.render(text))]]
    : []
  const files = new Map<string, string>([
    ...pages.flatMap((page) => filesOf(page, repository)),
    ['public/requests.json', JSON.stringify(exampleRequests(site))],
    ['public/llms.txt', llmsIndex(pages)],
    ['public/llms-full.txt', llmsFull(pages)],
    ...feed,
  ] satisfies File[])
  for (const [name, content] of files) writeIfNew(join(pagesFolder, name), content)
  removeOthers(files)
  copyFiles()
  return pages.length
}

function writeIfNew(file: string, content: string): void {
  if (existsSync(file) && readFileSync(file, 'utf8') === content) return
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
}

/** Pages that the contract no longer has must not be built. */
function removeOthers(files: Map<string, string>): void {
  const written = readdirSync(pagesFolder, { recursive: true, encoding: 'utf8' })
  for (const file of written) {
    const ours = /\.(?:md|txt|atom|js)$|(^|\/)(?:search|requests)\.json$/.test(file)
    if (ours && !files.has(file)) rmSync(join(pagesFolder, file))
  }
}

/** Files that are served as they are. */
function copyFiles(): void {
  const folder = join(pagesFolder, 'public')
  cpSync(join(root, 'src/docs/public'), folder, { recursive: true })
  for (const name of documents) {
    const bundle = join(generatedFolder(name), 'openapi.json')
    cpSync(bundle, join(folder, 'openapi', `${name}.json`))
  }
  if (!isOwn) return
  const schemas = [
    worldSchemaFile,
    mappingSchemaFile,
    institutionsSchemaFile,
    categoriesSchemaFile,
    gatewaySchemaFile,
  ]
  for (const schema of schemas) {
    cpSync(schema, join(folder, 'openapi', basename(schema)))
  }
}
