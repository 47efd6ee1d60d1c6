import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from '../../scripts/contract/contract.ts'
import { readPlan } from '../../scripts/test/main.ts'

// Somebody who types `--help`, or a wrong option, wants words and not ten minutes of work.

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>
}

/** What `npm run` starts; `npm ci` and tsc have their own arguments. */
const own = Object.entries(scripts).flatMap(([name, command]) => {
  const [, words] = /^node scripts\/run\.js (.+)$/.exec(command) ?? []
  return words === undefined || name === 'prepare' ? [] : [[name, words.split(' ')] as const]
})
/** They pass their options on, to vitest and to the service. */
const passOn = ['test', 'test:all', 'dev', 'start', 'mock']

function run(words: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'arguments-'))
  try {
    const all = [join(root, 'scripts/run.js'), ...words]
    const { status, stdout, stderr } = spawnSync(process.execPath, all, {
      cwd: folder,
      encoding: 'utf8',
      timeout: 60_000,
    })
    return { status, stdout, stderr, made: readdirSync(folder) }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

describe.each(own)('npm run %s', (name, words) => {
  test('tells its usage, and does nothing else', () => {
    const { status, stdout, made } = run([...words, '--help'])
    expect([status, made]).toEqual([0, []])
    expect(stdout).toMatch(/usage:/i)
  })

  test.skipIf(passOn.includes(name))('rejects an unknown option in one line', () => {
    const { status, stdout, stderr, made } = run([...words, '--nosuch'])
    expect([status === 0, stdout, made]).toEqual([false, '', []])
    expect(stderr).toMatch(/^[^\n]*'--nosuch'[^\n]*\n$/)
  })
})

describe('npm test', () => {
  test('takes --changed first, with one revision', () => {
    expect(() => readPlan(['--reporter=dot', '--changed'])).toThrow('has to be the first argument')
    expect(() => readPlan(['--changed', 'HEAD', 'x'])).toThrow("unexpected argument 'x'")
    expect(() => readPlan(['--changed', 'nosuch'])).toThrow('there is no revision nosuch')
    expect(() => readPlan(['--changed', '--reporter=dot'])).toThrow('there is no revision --rep')
    expect(() => readPlan(['--chnaged'])).toThrow('did you mean --changed?')
  })

  test('names the file that was meant', () => {
    expect(() => readPlan(['test/server/walletz.test.ts'])).toThrow(
      "no test file has 'test/server/walletz.test.ts' in its path; did you mean wallets?",
    )
    expect(readPlan(['test/server/wallets.test.ts', '-t', 'a/b'])?.set).toBe('all')
  })
})
