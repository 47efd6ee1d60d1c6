import { spawn } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { root } from '../../../../scripts/contract/contract.ts'
import { isUsual } from '../../../sets.ts'
import { endsWithUs } from '../../../support/children.ts'
import { atScale } from '../scale.ts'
import { type Corpus, readCorpus } from './corpus.ts'

// Their requests come from the contract, so they would judge it by itself; or they start programs,
// in which nothing can listen; or they override a webhook by what does not fit, on purpose.
const left = new RegExp(
  `^(${[
    ...[
      'every-operation',
      'every-operation-versions',
      'hostile-text',
      'versions-equation',
      'start',
    ],
    ...['version-steps', 'version-files', 'mock-and-service', 'options', 'cors', 'proxy', 'sqlite'],
    ...[
      'postgres.*',
      'many-processes',
      'seed-data-files',
      'seed-data-start',
      'http-edge',
      'isolation',
    ],
    ...['transactions-model', 'invented-version', 'key-rotation', 'webhooks-restart'],
    'agents-injection',
  ].join('|')})$`,
)

/** Enough to reach every operation in seconds. */
const few = [
  ...['asset-reports', 'bank-transfers', 'dashboard-users', 'identity', 'identity-verification'],
  ...['institutions', 'items', 'liabilities', 'protect', 'tokens', 'transactions-get', 'transfers'],
  ...['transactions-sync', 'users', 'versions', 'wallets', 'webhooks-verbs'],
]

function listTests(): string[] {
  const all = globSync('test/server/*.test.ts', { cwd: root }).filter(isUsual).sort()
  const name = (file: string) => basename(file, '.test.ts')
  const useful = all.filter((file) => !left.test(name(file)))
  return atScale({
    quick: useful.filter((file) => few.includes(name(file))),
    normal: useful,
    long: useful,
  })
}

/** Runs the service's own tests, and returns what went in and out meanwhile. */
export async function recordTraffic(): Promise<Corpus & { tests: number; messages: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'traffic-'))
  const file = join(folder, 'traffic')
  const tests = listTests()
  try {
    await runTests({ TRAFFIC_FILE: file, TRAFFIC_TESTS: tests.join('|') })
    const messages = readFileSync(file, 'utf8').split('\n').length - 1
    return { ...readCorpus(file), tests: tests.length, messages }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function runTests(env: Record<string, string>): Promise<void> {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const config = join(import.meta.dirname, 'vitest.config.ts')
  const { VITEST: _, VITEST_WORKER_ID: __, VITEST_POOL_ID: ___, ...outer } = process.env
  const child = spawn(process.execPath, [vitest, 'run', '--config', config, '--reporter=dot'], {
    cwd: root,
    env: { ...outer, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  endsWithUs(child)
  let words = ''
  child.stdout.on('data', (text) => (words += text))
  child.stderr.on('data', (text) => (words += text))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`the tests that are listened to failed\n${words.slice(-4000)}`))
    })
  })
}
