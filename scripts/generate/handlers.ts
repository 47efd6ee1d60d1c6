import { globSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { banner, eachOperation, readBundle, root, sandbox } from '../contract/contract.ts'

/** A handler's name, and its file relative to the root. */
interface Handler {
  name: string
  file: string
}

/** Lists the handler of every operation: the file of its name. One that is missing does not compile. */
export function handlers(): void {
  const ofInterface = handlersOf(readBundle())
  const ofSandbox = handlersOf(readBundle(sandbox))
  const imports = [...ofInterface, ...ofSandbox]
    .sort((one, other) => (one.file < other.file ? -1 : 1))
    .map(({ name, file }) => `import { ${name} } from '${relative('generated', file)}'`)
  const source = [
    banner('generate/handlers.ts'),
    ...imports,
    '\n/** What answers each operation of the interface. */',
    tableOf('handlers', ofInterface),
    '/** What answers each operation of the sandbox. */',
    tableOf('sandboxHandlers', ofSandbox),
  ]
  writeFileSync(join(root, 'generated/handlers.ts'), source.join('\n'))
}

const tableOf = (name: string, all: readonly Handler[]): string =>
  `export const ${name} = {\n${all.map((one) => `  ${one.name},\n`).join('')}}\n`

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
