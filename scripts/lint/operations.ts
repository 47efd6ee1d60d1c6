import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { runCommand } from '../command.ts'
import { isMain, root, sourceFolder, written } from '../contract/contract.ts'
import { ofPages, sandbox } from '../contract/undated.ts'
import { tell } from './tell.ts'

/** An operation as a line of the root names it. */
interface Named {
  id: string
  tag: string
  /** The root's file and the line. */
  place: string
}

/** What each operation has to have beside its contract files, and does not: one line for each. */
function missingParts(): string[] {
  const files = globSync('src/server/**/*.ts', { cwd: root })
  const tests = globSync('test/server/**/*.test.ts', { cwd: root })
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('')
  const rootOf = (name: string) => `${sourceFolder(name)}/openapi.yaml`
  const all = [...written, ...ofPages].flatMap((name) => operationsIn(rootOf(name)))
  // Sandbox endpoints are told in the tests of what they set.
  const told = [...written, ...ofPages]
    .filter((name) => name !== sandbox)
    .flatMap((name) => operationsIn(rootOf(name)))
  const handlerOf = (id: string) => files.find((file) => basename(file) === `${id}.ts`)
  const withoutHandler = all.filter(({ id }) => !handlerOf(id))
  const untold = told.filter(({ id }) => {
    return !new RegExp(`describe(\\.each\\(.*\\))?\\('${id}\\b`).test(tests)
  })
  const folderOf = (tag: string): string => {
    const neighbour = all.find((one) => one.tag === tag && handlerOf(one.id))
    return neighbour ? dirname(handlerOf(neighbour.id) ?? '') : `src/server/${tag}`
  }
  return [
    ...withoutHandler.map(({ id, tag, place }) => {
      return `${place}: ${id} has no handler: write ${folderOf(tag)}/${id}.ts`
    }),
    ...untold.map(({ id, tag, place }) => {
      return `${place}: ${id} has no test: write describe('${id}') in test/server/${tag}.test.ts`
    }),
  ]
}

function operationsIn(file: string): Named[] {
  const lines = readFileSync(join(root, file), 'utf8').split('\n')
  return lines.flatMap((line, index) => {
    const [, tag, id] = line.match(/\$ref: \.\/paths\/([\w-]+)\/(\w+)\.yaml/) ?? []
    return tag && id ? [{ id, tag, place: `${file}:${index + 1}` }] : []
  })
}

if (isMain(import.meta.filename)) await runCommand(() => tell(missingParts()))
