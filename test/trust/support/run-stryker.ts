import { spawn } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { root } from '../../../scripts/contract/contract.ts'
import { isUsual } from '../../sets.ts'
import { endsWithUs } from '../../support/children.ts'

/** What became of one change of the code. */
export interface Outcome {
  file: string
  line: number
  status: 'Killed' | 'Timeout' | 'Survived' | 'NoCoverage' | 'Ignored' | 'RuntimeError'
  mutatorName: string
  replacement: string
}

export interface Task {
  files: string[]
  /** Of `test/server`, without what each name ends in. */
  tests: string[]
  /** The part of the declarations that is tried. */
  share: number
}

/**
 * Changes files in many small ways, in a copy of the repository, and runs tests on each change.
 * @throws if the signal ends it, since a score of a part of the changes would be wrong: Stryker
 * reports the changes that no test runs first.
 */
export async function mutateCode(
  { files, tests, share }: Task,
  signal: AbortSignal,
): Promise<Outcome[]> {
  const folder = mkdtempSync(join(tmpdir(), 'mutate-'))
  const lines = join(folder, 'lines')
  writeFileSync(lines, '')
  const found = tests.flatMap((name) => globSync(`test/server/${name}.test.ts`, { cwd: root }))
  // What only `npm run test:all` would notice counts as not noticed.
  const judges = new Set(found.filter(isUsual))
  const env = {
    MUTATE: files.join('|'),
    MUTATE_TESTS: [...judges].join('|'),
    MUTATE_SHARE: String(share),
    MUTATE_REPORT: lines,
    TEST_ENGINE: 'sqlite',
    TEST_SET: 'usual',
  }
  try {
    const words = await run(env, signal)
    const all = readFileSync(lines, 'utf8').split('\n').filter(Boolean)
    if (all.length === 0) throw new Error(`nothing was changed\n${words.slice(-3000)}`)
    return all.map((line) => {
      const outcome = JSON.parse(line) as Outcome
      return { ...outcome, file: relative(root, outcome.file) }
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Runs Stryker, and returns what it prints. */
function run(env: Record<string, string>, signal: AbortSignal): Promise<string> {
  const program = join(root, 'node_modules/@stryker-mutator/core/bin/stryker.js')
  const config = join(import.meta.dirname, 'stryker.config.js')
  // The environment of the tests around this one is not for those that Stryker runs.
  const outer = Object.entries(process.env).filter(
    ([name]) => !/^(VITEST|TEST_|NODE_ENV)/.test(name),
  )
  const child = spawn(process.execPath, [program, 'run', config], {
    cwd: root,
    env: { ...Object.fromEntries(outer), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
  })
  endsWithUs(child, 'SIGTERM')
  let words = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (words += text))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', () => resolve(words))
  })
}
