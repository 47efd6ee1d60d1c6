import { globSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import {
  banner,
  currentVersion,
  eachOperation,
  readBundle,
  root,
  written,
} from '../contract/contract.ts'
import { describeUndated, isUndated, ofPages } from '../contract/undated.ts'

/** A handler's name, and its file relative to the root. */
interface Handler {
  name: string
  file: string
}

/** Lists the handler of every operation: the file of its name. One that is missing does not compile. */
export function handlers(): void {
  const tables = [...written, ...ofPages].map((name) => ({
    name,
    all: handlersOf(readBundle(name)),
  }))
  const imports = tables
    .flatMap(({ all }) => all)
    .sort((one, other) => (one.file < other.file ? -1 : 1))
    .map(({ name, file }) => `import { ${name} } from '${relative('generated', file)}'`)
  const source = [
    banner('generate/handlers.ts'),
    ...imports,
    '',
    ...tables.map(({ name, all }) => tableOf(name, all)),
  ]
  writeFileSync(join(root, 'generated/handlers.ts'), source.join('\n'))
}

function tableOf(document: string, all: readonly Handler[]): string {
  const title = titleOf(document)
  const name = document === currentVersion ? 'handlers' : `${document}Handlers`
  const rows = all.map((one) => `  ${one.name},\n`).join('')
  return `/** What answers each operation of ${title}. */\nexport const ${name} = {\n${rows}}\n`
}

function titleOf(document: string): string {
  if (isUndated(document)) return describeUndated(document).title
  return ofPages.some((name) => name === document) ? `the ${document}'s pages` : 'the interface'
}

function handlersOf(contract: ReturnType<typeof readBundle>): Handler[] {
  const files = new Map(
    globSync('src/server/**/*.ts', { cwd: root }).map((file) => [basename(file, '.ts'), file]),
  )
  const all = eachOperation(contract).map(({ operation: { operationId, tags } }) => ({
    tag: tags[0],
    name: operationId,
    file: files.get(operationId),
  }))
  return all.map(({ tag, name, file }) => {
    const neighbour = all.find((one) => one.tag === tag && one.file)?.file
    const folder = neighbour ? dirname(neighbour) : `src/server/${tag}`
    return { name, file: file ?? `${folder}/${name}.ts` }
  })
}
