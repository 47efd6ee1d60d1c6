import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isMain, root } from '../contract/contract.ts'

/** An operation as a line of the root names it. */
interface Named {
  id: string
  tag: string
  /** The root's file and the line. */
  place: string
}

/** What each operation has to have beside its contract files, and does not: one line for each. */
export function missingParts(): string[] {
  const files = globSync('src/server/**/*.ts', { cwd: root })
  const tests = globSync('test/server/**/*.test.ts', { cwd: root })
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('')
  const ofInterface = operationsIn('openapi/openapi.yaml')
  const all = [...ofInterface, ...operationsIn('openapi/sandbox/openapi.yaml')]
  const handlerOf = (id: string) => files.find((file) => basename(file) === `${id}.ts`)
  const withoutHandler = all.filter(({ id }) => !handlerOf(id))
  const untold = ofInterface.filter(({ id }) => {
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

if (isMain(import.meta.filename)) {
  const missing = missingParts()
  for (const line of missing) console.error(line)
  if (missing.length > 0) process.exitCode = 1
}
