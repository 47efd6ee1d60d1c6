import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { isUsual } from '../../test/sets.ts'
import { root } from '../contract/contract.ts'
import { findBase, gitIn } from '../diff/base.ts'

// Which tests are nearest to what was edited: enough to see a mistake within about twenty seconds,
// and not everything that an edit can break. Most tests start the whole service, which imports nearly
// everything, so the graph of imports is followed only as far as it leads to few tests.

/** Beyond so many the next step of the graph is not taken. */
const most = 24

/** What tests read instead of importing it, and the tests that do. */
const readers: readonly (readonly [RegExp, readonly string[]])[] = [
  [
    /^(openapi|generated)\//,
    [
      'test/contract/{body-limits,body-rules,bounded-work,enums,formats,interface}.test.ts',
      'test/contract/{issues,layout,levels,mock,open-requests,refusals,types,versions}.test.ts',
      'test/diff/base.test.ts',
      'test/server/{errors,every-operation}.test.ts',
    ],
  ],
  [/^openapi\/workflows\//, ['test/contract/workflows.test.ts']],
  [/^(README\.md$|src\/docs\/guides\/)/, ['test/contract/{snippets,shell-snippets}.test.ts']],
  [/^README\.md$/, ['test/contract/first-minutes.test.ts']],
  [/^(src\/docs|scripts\/docs)\//, ['test/docs/*.test.ts']],
  [/^src\/dashboard\//, ['test/dashboard/{build,pages}.test.ts']],
  [/^(CONTRIBUTING|CHANGELOG)\.md$|^\.github\//, ['test/diff/{cases,workflows}.test.ts']],
  // What goes through the whole service, whatever part of it was edited.
  [/^src\/server\//, ['test/server/{every-operation,mock-and-service}.test.ts']],
  [/\.sql$/, ['test/server/{migrations,plans,many-processes,sqlite,postgres}.test.ts']],
  [/^src\/server\/.*\.(yaml|json)$/, ['test/server/{world,seed-data}*.test.ts']],
]

const find = (patterns: readonly string[]): string[] => globSync([...patterns], { cwd: root })

/** The tests of the service that are named after a folder on the way to a file, or after the file. */
function named(file: string): string[] {
  if (!/^(src\/server|openapi)\//.test(file)) return []
  const [, , ...names] = file.replace(/\.\w+$/, '').split('/')
  return names.map((name) => `test/server/${name}*.test.ts`)
}

const imported = /(?:from|import)\s*\(?\s*'(\.[^']+)'/g

/** For each source the ones that import it. */
function importers(): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const file of find(['{src,scripts,test}/**/*.{ts,js,mjs}'])) {
    for (const [, specifier = ''] of readFileSync(join(root, file), 'utf8').matchAll(imported)) {
      const target = normalize(join(dirname(file), specifier))
      found.set(target, [...(found.get(target) ?? []), file])
    }
  }
  return found
}

const isTest = (file: string): boolean =>
  file.endsWith('.test.ts') &&
  !file.startsWith('test/trust/') &&
  !file.startsWith('test/consumers/')

/** The tests that lead to a source by the fewest imports, as far as these are few. */
function nearest(edited: readonly string[], graph: ReadonlyMap<string, string[]>): string[] {
  const seen = new Set(edited)
  let level = [...edited]
  const tests = new Set(level.filter(isTest))
  while (level.length > 0) {
    level = [...new Set(level.flatMap((file) => graph.get(file) ?? []))]
    level = level.filter((file) => !seen.has(file))
    for (const file of level) seen.add(file)
    const next = level.filter(isTest)
    if (tests.size + next.length > most) break
    for (const file of next) tests.add(file)
  }
  return [...tests]
}

/** The files that differ from a commit, and those that are new. */
function editedSince(base: string): string[] {
  const git = gitIn(root)
  const changed = git('diff', '--name-only', '--relative', base, '--')
  const added = git('ls-files', '--others', '--exclude-standard')
  return `${changed}\n${added}`.split('\n').filter(Boolean)
}

/**
 * The tests to run for what was edited since a revision.
 * @throws Error where there is no such revision
 */
export function changedTests(revision = 'HEAD'): string[] {
  return testsOf(editedSince(findBase(gitIn(root), revision).commit))
}

/** The tests to run for files that were edited. */
export function testsOf(edited: readonly string[]): string[] {
  const graph = importers()
  const found = edited.flatMap((file) => [
    ...nearest([file], graph),
    ...find(named(file)),
    ...readers.flatMap(([pattern, tests]) => (pattern.test(file) ? find(tests) : [])),
  ])
  return [...new Set(found)].filter(isUsual).sort()
}
