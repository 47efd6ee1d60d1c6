import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { takeArguments } from '../command.ts'
import { runTogether, type Step } from '../run-step.ts'
import { operation } from './add-operation.ts'
import { version } from './add-version.ts'
import { webhook } from './add-webhook.ts'
import { type Addition, apply, beyondAim, type Touched } from './addition.ts'
import { commit, copyTree, touchedIn } from './copy.ts'
import { probe } from './probe.ts'

// Adds an invented operation, webhook and newest date to a copy of the project, checks the copy, and
// prints the files that each took by hand.

const additions: Addition[] = [operation, webhook, version]

/** The tests that a derivation which is missing would fail. */
const tests = [
  ...['interface', 'layout', 'mutations', 'types', 'versions'].map(
    (name) => `test/contract/${name}.test.ts`,
  ),
  'test/webhooks/deliveries.test.ts',
  ...[
    'additions',
    'every-operation',
    'mock-and-service',
    'version-files',
    'wallets',
    'webhooks-verbs',
    'world-operations',
  ].map((name) => `test/server/${name}.test.ts`),
]

const checks: Step[][] = [
  [{ name: 'generate', file: 'scripts/generate/main.ts', args: [] }],
  [
    { name: 'lint', file: 'scripts/lint/main.ts', args: [] },
    { name: 'typecheck', file: 'node_modules/typescript/bin/tsc', args: ['--noEmit'] },
  ],
  [
    {
      name: 'tests',
      file: 'node_modules/vitest/vitest.mjs',
      args: ['run', '--project', 'sqlite', ...tests],
    },
  ],
]

/** Makes the additions one after the other; the files that each touched. */
function addAll(copy: string): Map<Addition, Touched[]> {
  return new Map(
    additions.map((addition) => {
      apply(copy, addition)
      const touched = touchedIn(copy)
      commit(copy, addition.name)
      return [addition, touched]
    }),
  )
}

/** Runs the checks in the copy; those that fail. */
async function check(copy: string): Promise<Step[]> {
  writeFileSync(join(copy, 'test/server/additions.test.ts'), probe)
  const gone = tests.filter((file) => !existsSync(join(copy, file)))
  if (gone.length > 0)
    throw new Error(`there is no ${gone.join(', ')}: name the tests that replace them`)
  const failed: Step[] = []
  for (const group of checks) {
    failed.push(...(await runTogether(group, copy, { TEST_ENGINE: 'sqlite' })))
  }
  return failed
}

function print(all: Map<Addition, Touched[]>): void {
  for (const [{ name, aim }, touched] of all) {
    console.log(`\n${name}: ${touched.length} files`)
    for (const { file, lines } of touched) {
      const what = aim.find(({ files }) => files.test(file))?.what ?? 'NOT PART OF THE AIM'
      console.log(`  ${what.padEnd(26)}${String(lines).padStart(4)} lines  ${file}`)
    }
  }
}

const usage = `usage: npm run change-cost [-- --keep]
Adds an operation, a webhook and a version to a copy of this checkout, checks it, and prints the files touched.

  --keep  leave the copy, and print where it is`

const { keep } = takeArguments(usage, 0, { keep: { type: 'boolean' } }).values

const copy = copyTree()
try {
  const all = addAll(copy)
  const failed = await check(copy)
  print(all)
  const beyond = [...all].flatMap(([addition, touched]) => beyondAim(addition, touched))
  for (const line of beyond) console.error(line)
  if (failed.length > 0) console.error(`\nfailed: ${failed.map(({ name }) => name).join(', ')}`)
  if (failed.length + beyond.length > 0) process.exitCode = 1
} finally {
  if (keep) console.log(`\nthe copy: ${copy}`)
  else rmSync(copy, { recursive: true })
}
