import { chromiumHere } from '../../test/support/chromium.ts'
import type { Instance } from '../../test/support/postgres-instance.ts'
import { isServerThere, serverUrl } from '../../test/support/postgres-server.ts'
import { startRunServer } from '../../test/support/run-server.ts'
import { runStep } from '../run-step.ts'
import { changedTests } from './changed-tests.ts'
import { conclude, runTests } from './run-tests.ts'

// What `npm test` runs: the tests that people run while they work. `--all` runs every test, as CI
// does; `--changed` runs those nearest to what was edited since a commit (HEAD); anything else is
// passed on, such as a file. Types, lint and generated files are checked by `npm run check`.

type Plan = { args: string[]; set: 'usual' | 'edited' | 'all'; end: string }

const every = 'These were all tests; `npm run test:trust` breaks the service on purpose.'
const usual: Plan = {
  args: [],
  set: 'usual',
  end: '`npm run test:all` runs the rest: every file on both engines, the packed package, all pages in a browser.',
}

/** What the arguments ask for; undefined where nothing that was edited has a test. */
function readPlan([first, ...rest]: string[]): Plan | undefined {
  if (first === undefined) return usual
  if (first === '--all') return { args: rest, set: 'all', end: every }
  if (first !== '--changed') return { args: [first, ...rest], set: 'all', end: usual.end }
  const files = changedTests(rest[0])
  if (files.length === 0) return undefined
  console.log(`nearest to what was edited:\n  ${files.join('\n  ')}`)
  return { args: files, set: 'edited', end: '`npm test` runs more than what was edited.' }
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

async function test(): Promise<boolean> {
  const plan = readPlan(process.argv.slice(2))
  if (!plan) {
    console.log('nothing that was edited has a test nearby')
    return true
  }
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
  const isGood = conclude(await runTests(plan.args, environment), [])
  console.log(plan.end)
  return isGood
}

process.exitCode = (await test()) ? 0 : 1
