import { globSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { runCommand } from '../command.ts'
import { isMain, root, sourceFolder, written } from '../contract/contract.ts'
import { ofPages, sandbox } from '../contract/undated.ts'
import { programs, rooms } from './rooms.ts'
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
  /** The folder with most handlers of a tag; before the first one, the tag's own. */
  const usualFolder = (tag: string): string => {
    const folders = all.flatMap((one) => {
      const file = one.tag === tag ? handlerOf(one.id) : undefined
      return file === undefined ? [] : [dirname(file)]
    })
    const own = `src/server/${tag}`
    const counts = [...Map.groupBy(folders, (folder) => folder)].map(
      ([folder, { length }]) => [folder, length + (folder === own ? 0.5 : 0)] as const,
    )
    return counts.sort(([, one], [, other]) => other - one)[0]?.[0] ?? own
  }
  const elsewhere = all.filter(({ id, tag }) => {
    const file = handlerOf(id)
    return file !== undefined && dirname(file) !== usualFolder(tag)
  })
  return [
    ...elsewhere.map(({ id, tag, place }) => {
      return `${place}: the handler of ${id} is ${handlerOf(id)}: move it to ${usualFolder(tag)}, where those of its tag are`
    }),
    ...withoutHandler.map(({ id, tag, place }) => {
      return `${place}: ${id} has no handler: write ${usualFolder(tag)}/${id}.ts`
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

/** What stands in `src/server` and in no list of `rooms.ts`: one line for each. */
export const withoutRoom = (): string[] =>
  readdirSync(join(root, 'src/server'))
    .filter((name) => !name.endsWith('.json'))
    .filter((name) => !rooms.some((room) => room.name === name) && !programs.includes(name))
    .map((name) => {
      return `src/server/${name}: it is no room: name it in scripts/lint/rooms.ts, after those that it imports`
    })

if (isMain(import.meta.filename)) {
  await runCommand(() => tell([...missingParts(), ...withoutRoom()]))
}
