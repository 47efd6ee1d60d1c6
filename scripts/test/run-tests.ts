import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../contract/contract.ts'
import { failuresFile } from './failures-reporter.ts'

interface Report {
  numPassedTests: number
  numPendingTests: number
}

export interface Outcome {
  report: Report
  skipped: string[]
  /** What failed, each in a few lines. */
  failures: string[]
  /** Whether vitest itself is content: a file that cannot be loaded has no failed test. */
  succeeded: boolean
}

/** Runs vitest; lines that start with SKIPPED are kept for the end. */
export async function runTests(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'test-report-'))
  const report = join(folder, 'report.json')
  const failed = join(folder, 'failures.json')
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const own = join(import.meta.dirname, 'failures-reporter.ts')
  const names = ['default', 'json', own].map((name) => `--reporter=${name}`)
  const reporters = [...names, `--outputFile.json=${report}`]
  const child = spawn(process.execPath, [vitest, 'run', ...reporters, ...args], {
    cwd: root,
    env: { ...process.env, ...environment, [failuresFile]: failed },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exit = once(child, 'close')
  let output = ''
  for await (const chunk of child.stdout) {
    process.stdout.write(chunk)
    output += chunk
  }
  const [code] = await exit
  // There are none when vitest could not even begin.
  const read = <Content>(file: string, byDefault: Content): Content =>
    existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : byDefault
  const outcome = {
    report: read<Report>(report, { numPassedTests: 0, numPendingTests: 0 }),
    failures: read<string[]>(failed, []),
    skipped: [...new Set(output.match(/^SKIPPED: .*$/gm) ?? [])],
    succeeded: code === 0,
  }
  rmSync(folder, { recursive: true })
  return outcome
}

/** Says how it went, what was skipped, and whether that is good. What failed stands at the end. */
export function conclude({ report, skipped, failures, succeeded }: Outcome): boolean {
  const { numPassedTests, numPendingTests } = report
  const isUntold = !succeeded && failures.length === 0
  const failed = isUntold ? ['vitest has failed; see above'] : failures
  for (const line of skipped) console.log(line)
  for (const text of failed) console.log(`FAILED: ${text}`)
  console.log(`\n${numPassedTests} passed, ${failed.length} failed, ${numPendingTests} skipped`)
  return failed.length === 0 && numPassedTests > 0
}
