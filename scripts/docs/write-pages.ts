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
import { documents, eachOperation, generatedFolder, root } from '../contract.ts'
import { worldSchemaFile } from '../world-schema.ts'
import { errorPages } from './error-pages.ts'
import { controlIndex, guidePage, operationIndex } from './guide-pages.ts'
import { guides } from './guides.ts'
import type { Page, Part } from './html.ts'
import { operationPage } from './operation-page.ts'
import { controlSurface, readSite, type Site } from './site.ts'
import { versionPage } from './version-page.ts'
import { webhookPages } from './webhook-pages.ts'

/** The pages as VitePress takes them; `src/docs/config.ts` names the folder too. */
const folder = join(root, '.cache/docs')

/** Writes every page, touching only what changed, and returns how many pages there are. */
export function writePages(): number {
  const pages = everyPage(readSite())
  const files = new Map(pages.flatMap(filesOf))
  for (const [name, content] of files) writeIfNew(join(folder, name), content)
  removeOthers(files)
  copyFiles()
  return pages.length
}

function everyPage(site: Site): Page[] {
  const control = controlSurface(site)
  return [
    guidePage(site),
    ...guides(),
    operationIndex(site),
    ...operationPages(site),
    ...webhookPages(site),
    controlIndex(control),
    ...operationPages(control),
    ...errorPages(site),
    versionPage(site),
  ]
}

const operationPages = (site: Site): Page[] =>
  eachOperation(site.contract).map((entry) => operationPage(site, entry))

/** A page, and beside it what the search is to find it by. */
function filesOf({ path, title, description, options, parts, sections }: Page): [string, string][] {
  const matter = Object.entries({ title, description, ...options })
  const lines = matter.map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
  const page = `---\n${lines.join('\n')}\n---\n\n${source(parts)}\n`
  const search: [string, string][] = sections
    ? [[join(path, 'search.json'), JSON.stringify(sections)]]
    : []
  return [[join(path, 'index.md'), page], ...search]
}

/**
 * HTML comes in by the call that Vue's compiler would make of it. So the compiler need not read it,
 * and VitePress, which knows the call, leaves it out of what a visited page loads.
 */
function source(parts: Part[]): string {
  const constants: string[] = []
  const tags = parts.map((part) => {
    if ('markdown' in part) return part.markdown
    const name = `Static${constants.length}`
    const html = JSON.stringify(part.html).replaceAll('</', '<\\/')
    constants.push(`const ${name} = () => createStaticVNode(${html}, 1)`)
    return `<${name} />`
  })
  const script = ["import { createStaticVNode } from 'vue'", ...constants].join('\n')
  return [`<script setup>\n${script}\n</script>`, ...tags].join('\n\n')
}

function writeIfNew(file: string, content: string): void {
  if (existsSync(file) && readFileSync(file, 'utf8') === content) return
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
}

/** A page that the contract no longer has must not be built again. */
function removeOthers(files: Map<string, string>): void {
  const written = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  for (const file of written) {
    const ours = /(^|\/)(index\.md|search\.json)$/.test(file)
    if (ours && !files.has(file)) rmSync(join(folder, file))
  }
}

/** Files that are served as they are. */
function copyFiles(): void {
  cpSync(join(root, 'src/docs/public'), join(folder, 'public'), { recursive: true })
  for (const name of documents) {
    const bundle = join(generatedFolder(name), 'openapi.json')
    cpSync(bundle, join(folder, 'public/openapi', `${name}.json`))
  }
  cpSync(worldSchemaFile, join(folder, 'public/openapi', basename(worldSchemaFile)))
}
