import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { Reporter, SerializedError, TestModule } from 'vitest/node'
import { root } from '../contract/contract.ts'

/** The file that the failures of a run are written into, as a JSON array of texts. */
export const failuresFile = 'TEST_FAILURES'

type Failed = readonly [name: string, errors: readonly SerializedError[] | undefined]

/** Writes what failed: tests, hooks, files that cannot be loaded, and errors that nobody has caught. */
export default class FailuresReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], uncaught: readonly SerializedError[]): void {
    const failures = [
      ...modules.flatMap(failuresIn),
      ...uncaught.map((error): Failed => ['an error that nobody caught', [error]]),
    ]
    const texts = failures.flatMap(([name, errors = []]) =>
      errors.length > 0 ? [`${name}${shorten(errors)}`] : [],
    )
    const file = process.env[failuresFile]
    if (file !== undefined) writeFileSync(file, JSON.stringify(texts))
  }
}

function failuresIn(module: TestModule): Failed[] {
  const file = relative(root, module.moduleId)
  const named = (name: string) => `${file} > ${name}`
  return [
    [file, module.errors()],
    ...[...module.children.allSuites()].map(
      (suite): Failed => [named(`${suite.fullName} (beforeAll or afterAll)`), suite.errors()],
    ),
    ...[...module.children.allTests('failed')].map(
      (test): Failed => [named(test.fullName), test.result().errors],
    ),
  ]
}

/** The first lines of each message, without colors. */
function shorten(errors: readonly SerializedError[]): string {
  const lines = errors.flatMap(({ name, message }) =>
    `${name ?? 'Error'}: ${stripVTControlCharacters(message)}`
      .split('\n')
      .filter((line) => line.trim() !== '')
      .slice(0, 8),
  )
  return lines.map((line) => `\n    ${line.slice(0, 200)}`).join('')
}
