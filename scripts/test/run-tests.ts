import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { root } from '../contract/contract.ts'

interface Report {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  testResults: { name: string; message: string; assertionResults: TestResult[] }[]
}

interface TestResult {
  status: string
  fullName: string
  failureMessages: string[]
}

export interface Outcome {
  report: Report
  skipped: string[]
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
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const child = spawn(process.execPath, [vitest, 'run', ...reporters, ...args], {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
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
    : { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, testResults: [] }
  rmSync(folder, { recursive: true })
  const skipped = [...new Set(output.match(/^SKIPPED: .*$/gm) ?? [])]
  return { report: read, skipped, succeeded: code === 0 }
}

/** Says how it went, what was skipped, and whether that is good; failures last, by name. */
export function conclude({ report, skipped, succeeded }: Outcome): boolean {
  const { numPassedTests, numFailedTests, numPendingTests } = report
  for (const line of skipped) console.log(line)
  for (const line of failuresIn(report)) console.log(`FAILED: ${line}`)
  const broken = !succeeded && numFailedTests === 0 ? 1 : 0
  if (broken) console.log('FAILED: not every test file could be run; see above')
  const failures = numFailedTests + broken
  console.log(`\n${numPassedTests} passed, ${failures} failed, ${numPendingTests} skipped`)
  return failures === 0 && numPassedTests > 0
}

/** A few lines each: what vitest prints in full may be thousands of lines above. */
function failuresIn({ testResults }: Report): string[] {
  return testResults.flatMap(({ name, message, assertionResults }) => {
    const file = relative(root, name)
    const tests = assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => `${file} > ${fullName}${shorten(failureMessages)}`)
    return message === '' ? tests : [...tests, `${file}${shorten([message])}`]
  })
}

/** The first lines of each message, without colours and stack traces. */
function shorten(messages: readonly string[]): string {
  const lines = messages.flatMap((message) =>
    stripVTControlCharacters(message)
      .split('\n')
      .filter((line) => line.trim() !== '' && !/^\s+at /.test(line))
      .slice(0, 8),
  )
  return lines.map((line) => `\n    ${line.slice(0, 200)}`).join('')
}
