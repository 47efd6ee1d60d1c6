import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { hintOf } from '../../src/nearest.ts'
import { chromiumHere } from '../../test/support/chromium.ts'
import type { Instance } from '../../test/support/postgres-instance.ts'
import { isServerThere, serverUrl } from '../../test/support/postgres-server.ts'
import { startRunServer } from '../../test/support/run-server.ts'
import { isMain, runCommand } from '../command.ts'
import { root } from '../contract/contract.ts'
import { runStep } from '../run-step.ts'
import { changedTests } from './changed-tests.ts'
import { conclude, runTests } from './run-tests.ts'
import { unknownOption } from './vitest-options.ts'

// What `npm test` runs: the tests that people run while they work. `--all` runs every test, as CI
// does; `--changed` runs those nearest to what was edited since a commit (HEAD); anything else is
// passed on, such as a file. Types, lint and generated files are checked by `npm run check`.

const usage = `usage: npm test [-- FILE…]
       npm test -- --changed [REVISION]
Runs the tests that people run while they work. \`npm run test:all\` runs every test.

  FILE       runs the files with this text in their path; options of vitest may stand beside it
  --changed  runs the tests nearest to what was edited since a revision (HEAD)
  --help     shows this`

type Plan = { args: string[]; set: 'usual' | 'edited' | 'all'; end: string }

const every = 'These were all tests; `npm run test:trust` breaks the service on purpose.'
const usual: Plan = {
  args: [],
  set: 'usual',
  end: '`npm run test:all` runs the rest: every file on both engines, the packed package, all pages in a browser.',
}

/**
 * What the arguments ask for; undefined where nothing that was edited has a test.
 * @throws Error in one line where they are wrong
 */
export function readPlan(args: string[]): Plan | undefined {
  const [first, ...rest] = args
  if (first === undefined) return usual
  const late = rest.find((arg) => arg === '--changed' || arg === '--all')
  if (late !== undefined) throw new Error(`${late} has to be the first argument; see --help`)
  if (first === '--all') return { args: rest, set: 'all', end: every }
  if (first !== '--changed') {
    rejectUnknown(args)
    return { args, set: 'all', end: '`npm test` without arguments runs the usual tests.' }
  }
  if (rest[1] !== undefined) throw new Error(`unexpected argument '${rest[1]}'; see --help`)
  const files = changedTests(rest[0])
  if (files.length === 0) return undefined
  console.log(`nearest to what was edited:\n  ${files.join('\n  ')}`)
  return { args: files, set: 'edited', end: '`npm test` runs more than what was edited.' }
}

/** Rejects a mistyped `--changed`, and the path of a file that is not there. */
function rejectUnknown(args: readonly string[]): void {
  for (const [index, arg] of args.entries()) {
    const hint = hintOf(arg, ['changed'])
    if (arg.startsWith('--') && hint !== '') {
      throw new Error(`there is no option ${arg}${hint.replace('mean ', 'mean --')}`)
    }
    // What follows an option may be its value.
    const isValue = /^-[^=]*$/.test(args[index - 1] ?? '')
    if (isValue || arg.startsWith('-') || !/\/|\.ts$/.test(arg)) continue
    const files = globSync('test/**/*.test.ts', { cwd: root })
    if (files.some((file) => file.includes(arg.replace(/^\.\//, '')))) continue
    const near = hintOf(
      basename(arg, '.test.ts'),
      files.map((file) => basename(file, '.test.ts')),
    )
    throw new Error(`no test file has '${arg}' in its path${near}`)
  }
}

/** The programs that tests need and this machine lacks, with what is skipped without each. */
async function missingPrograms(isEvery: boolean, hasServer: boolean): Promise<string[]> {
  const missing: string[] = []
  // It says so itself.
  if (isEvery) await import('../../test/support/older-node.ts')
  if (!chromiumHere()) missing.push('no Chromium (CHROMIUM): skips the docs in a browser')
  if (!hasServer && !(await isServerThere())) {
    const { host } = new URL(serverUrl)
    missing.push(`no PostgreSQL at ${host} (TEST_DATABASE_URL): skips the service on PostgreSQL`)
  }
  return missing
}

async function test(args: string[]): Promise<boolean> {
  const plan = readPlan(args)
  if (!plan) {
    console.log('nothing that was edited has a test nearby')
    return true
  }
  const mistake = unknownOption(plan.args)
  if (mistake !== undefined) throw new Error(mistake)
  const server = await startRunServer()
  try {
    return await testWith(plan, server)
  } finally {
    await server?.remove()
  }
}

async function testWith(plan: Plan, server: Instance | undefined): Promise<boolean> {
  for (const line of await missingPrograms(plan.end === every, server !== undefined)) {
    console.log(line)
  }
  // Tests read the docs, which are built only if something has changed since they were.
  const readsDocs = plan.args.length === 0 || plan.args.some((arg) => arg.includes('docs'))
  if (readsDocs && !runStep({ name: 'docs', file: 'scripts/docs/main.ts', args: [] })) return false
  const environment = {
    TEST_SET: plan.set,
    ...(server && { TEST_DATABASE_URL: server.url('test') }),
  }
  const isGood = conclude(await runTests(plan.args, environment))
  console.log(plan.end)
  return isGood
}

if (isMain(import.meta.filename)) {
  const args = process.argv.slice(2)
  if (args.includes('--help') || args.includes('-h')) console.log(usage)
  else await runCommand(() => test(args))
}
