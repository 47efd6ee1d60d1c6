import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { root } from '../contract/contract.ts'
import { ofPages, undated } from '../contract/undated.ts'
import { programs, type Room, rooms } from '../lint/rooms.ts'

/** The rule that CONTRIBUTING.md states and the linter enforces. */
const rule =
  'A folder of `src/server` is called a room. It imports only from itself and from the rooms below it in this table.'

/** What stands between these marks of CONTRIBUTING.md is written here. */
const marks = { begin: '<!-- rooms -->\n', end: '<!-- /rooms -->\n' }

/** Writes the linter's rules for imports between rooms, and the picture of the rooms. */
export function importRules(): void {
  const overrides = rooms.map(toOverride)
  const file = join(root, 'generated/import-rules.json')
  writeFileSync(file, `${JSON.stringify({ overrides }, null, 2)}\n`)
  const guide = join(root, 'CONTRIBUTING.md')
  const [before, rest] = readFileSync(guide, 'utf8').split(marks.begin)
  const after = rest?.split(marks.end)[1]
  if (after === undefined) throw new Error(`CONTRIBUTING.md needs ${marks.begin} and ${marks.end}`)
  writeFileSync(guide, [before, marks.begin, toSection(), marks.end, after].join(''))
}

function toOverride({ name }: Room, index: number) {
  const above = rooms.slice(index + 1).map((room) => `${room.name}/**`)
  // A file stands in its room, or in a folder of it.
  const group = [...above, ...programs].flatMap((path) => [`../${path}`, `../../${path}`])
  // The list of handlers leads to every tag and to the sandbox.
  if (name !== 'boot') group.push('**/generated/handlers.ts')
  const message = `src/server/${name} may not import from a room above it: see scripts/lint/rooms.ts.`
  const options = { patterns: [{ group, message }, openTypes] }
  const noRestrictedImports = { level: 'error', options }
  return {
    includes: [`src/server/${name}/**`],
    linter: { rules: { style: { noRestrictedImports } } },
  }
}

/** Types whose enums are open would let the service write values that nobody knows. */
const openTypes = {
  group: [
    '#contract/types.ts',
    ...[...undated, ...ofPages].map((name) => `**/generated/${name}/types.ts`),
  ],
  message: 'What the service writes has the types of closed.ts beside it.',
}

const toSection = (): string =>
  [rule, '', ...toTable(), '', '```mermaid', ...toPicture(), '```', ''].join('\n')

const toTable = (): string[] => [
  '| room of `src/server` | contents |',
  '|---|---|',
  `| ${programs.map((file) => `\`${file}\``).join(', ')} | the programs |`,
  ...rooms.toReversed().map(({ name, holds }) => `| \`${name}/\` | ${holds} |`),
]

/** The rooms as a graph of what imports what; the tags are one node. */
function toPicture(): string[] {
  const edges = importsBetween()
  const names = ['programs', ...new Set(rooms.toReversed().map(nodeOf))]
  const lines = names.flatMap((name) =>
    reduce(name, edges).map((target) => `  ${idOf(name)} --> ${idOf(target)}`),
  )
  const tags = rooms.flatMap((room) => (room.isTag ? [room.name] : []))
  return ['flowchart TD', `  tags["${tags.join(' < ')}"]`, ...lines]
}

const nodeOf = ({ name, isTag }: Room): string => (isTag ? 'tags' : name)
const idOf = (node: string): string => node.replace('-', '_')

/** For each node the nodes that its files import from. */
function importsBetween(): Map<string, Set<string>> {
  const edges = new Map<string, Set<string>>()
  for (const file of globSync('**/*.ts', { cwd: join(root, 'src/server') })) {
    const text = readFileSync(join(root, 'src/server', file), 'utf8')
    for (const [, path = ''] of text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)) {
      const [from, to] = [file, normalize(join(dirname(file), path))].map(nodeAt)
      if (from === undefined || to === undefined || from === to) continue
      edges.set(from, (edges.get(from) ?? new Set()).add(to))
    }
  }
  return edges
}

function nodeAt(file: string): string | undefined {
  if (programs.includes(file)) return 'programs'
  const room = rooms.find(({ name }) => file.startsWith(`${name}/`))
  return room && nodeOf(room)
}

/** The nodes that a node imports from, without those that it reaches by way of another one. */
function reduce(node: string, edges: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const direct = [...(edges.get(node) ?? [])]
  const reachable = (from: string): string[] =>
    [...(edges.get(from) ?? [])].flatMap((next) => [next, ...reachable(next)])
  const indirect = new Set(direct.flatMap(reachable))
  return direct.filter((target) => !indirect.has(target)).sort()
}
