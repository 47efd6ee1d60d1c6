import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './contract.ts'
import { lintSteps } from './lint.ts'
import { runStep, type Step } from './run-step.ts'

// What `npm test` and so CI runs: drift of generated files, lint, types, docs, and every test. With
// arguments it runs just the tests that they name, as `npm test -- test/contract/mock.test.ts`.

const steps: Step[] = [
  { name: 'generated files are up to date', file: 'scripts/drift.ts', args: [] },
  ...lintSteps,
  { name: 'types', file: 'node_modules/typescript/bin/tsc', args: ['--noEmit'] },
  { name: 'docs', file: 'scripts/docs.ts', args: [] },
]

interface Report {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numFailedTestSuites: number
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
  const read = JSON.parse(readFileSync(report, 'utf8')) as Report
  rmSync(folder, { recursive: true })
  const skipped = [...new Set(output.match(/^SKIPPED: .*$/gm) ?? [])]
  return { report: read, skipped, succeeded: code === 0 }
}

async function main(): Promise<void> {
  const filters = process.argv.slice(2)
  const failed = (filters.length > 0 ? [] : steps).filter((step) => !runStep(step))
  const { report, skipped, succeeded } = await runTests(filters)
  const { numPassedTests, numFailedTests, numPendingTests } = report
  for (const { name } of failed) console.log(`FAILED: ${name}`)
  for (const line of skipped) console.log(line)
  const broken = !succeeded && numFailedTests === 0 ? 1 : 0
  if (broken) console.log('FAILED: a test file could not be run; see above')
  const failures = numFailedTests + failed.length + broken
  console.log(`\n${numPassedTests} passed, ${failures} failed, ${numPendingTests} skipped`)
  process.exitCode = failures > 0 || numPassedTests === 0 ? 1 : 0
}

await main()
