import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './contract.ts'
import { lintSteps } from './lint.ts'
import { runTogether, type Step } from './run-step.ts'

// What `npm test` and so CI runs: drift of generated files, lint, types, docs, and every test. With
// arguments it runs just the tests that they name, as `npm test -- test/contract/mock.test.ts`.

const drift = { name: 'generated files are up to date', file: 'scripts/drift.ts', args: [] }

// What reads generated files waits until they have been made anew.
const groups: Step[][] = [
  [drift, ...lintSteps.sources],
  [
    { name: 'types', file: 'node_modules/typescript/bin/tsc', args: ['--noEmit'] },
    { name: 'docs', file: 'scripts/docs.ts', args: [] },
    { name: 'sizes of the client', file: 'scripts/sizes.ts', args: [] },
    ...lintSteps.bundles,
  ],
]

interface Report {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
}

interface Outcome {
  report: Report
  skipped: string[]
  /** Whether vitest itself is content: a file that cannot be loaded has no failed test. */
  succeeded: boolean
}

/** Runs vitest; lines that start with SKIPPED are kept for the end. */
async function runTests(filters: string[]): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'test-report-'))
  const report = join(folder, 'report.json')
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const args = [vitest, 'run', ...reporters, ...filters]
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
  const exit = once(child, 'close')
  let output = ''
  for await (const chunk of child.stdout) {
    process.stdout.write(chunk)
    output += chunk
  }
  const [code] = await exit
  // There is none when vitest could not even begin.
  const read = existsSync(report)
    ? (JSON.parse(readFileSync(report, 'utf8')) as Report)
    : { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0 }
  rmSync(folder, { recursive: true })
  const skipped = [...new Set(output.match(/^SKIPPED: .*$/gm) ?? [])]
  return { report: read, skipped, succeeded: code === 0 }
}

async function main(): Promise<void> {
  const filters = process.argv.slice(2)
  const failed: Step[] = []
  if (filters.length === 0) for (const group of groups) failed.push(...(await runTogether(group)))
  const { report, skipped, succeeded } = await runTests(filters)
  const { numPassedTests, numFailedTests, numPendingTests } = report
  for (const { name } of failed) console.log(`FAILED: ${name}`)
  for (const line of skipped) console.log(line)
  const broken = !succeeded && numFailedTests === 0 ? 1 : 0
  if (broken) console.log('FAILED: not every test file could be run; see above')
  const failures = numFailedTests + failed.length + broken
  console.log(`\n${numPassedTests} passed, ${failures} failed, ${numPendingTests} skipped`)
  process.exitCode = failures > 0 || numPassedTests === 0 ? 1 : 0
}

await main()
