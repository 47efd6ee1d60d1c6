import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from '../../scripts/contract/contract.ts'
import { readPlan } from '../../scripts/test/main.ts'
import { unknownOption } from '../../scripts/test/vitest-options.ts'

// Somebody who types `--help`, or a wrong option, wants words and not ten minutes of work.

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>
}

/** What `npm run` starts. */
const own = Object.entries(scripts).flatMap(([name, command]) => {
  const [, words] = /^node scripts\/run\.js (.+)$/.exec(command) ?? []
  return words === undefined ? [] : [[name, words.split(' ')] as const]
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

/** The words of a wrong call behind `npm run`, its exit code and its one line. */
const wrongCalls: readonly (readonly [string, string[], number, RegExp])[] = [
  ['check', ['nosuchbase'], 2, /^there is no revision nosuchbase/],
  ['docs', ['--only', 'nonsense'], 2, /^--only: there is no page nonsense\/$/],
  ['docs', ['--only', 'operations/walletGett'], 2, /mean operations\/walletGet\/\?$/],
  ['test:consumers', ['bogus'], 2, /^there is no consumer bogus: openapi-typescript, /],
  ['bench', ['--growth', '--sizes', 'abc'], 1, /^--sizes: numbers with commas/],
  ['bench', ['--json', '/nosuch/x.json'], 1, /^--json: there is no folder \/nosuch /],
  ['bench', ['--json', tmpdir()], 1, /^--json: .* is a folder, and no file$/],
  ['test', ['--bogus'], 1, /^there is no option --bogus; see --help$/],
  ['test:all', ['--bogus=1'], 1, /^there is no option --bogus; see --help$/],
  ['sbom', ['/nosuch/x/y'], 2, /^there is no folder \/nosuch\/x to write y in$/],
  ['sbom', [tmpdir()], 2, /is a folder, and no file$/],
]

test.each(wrongCalls)('npm run %s -- %j is rejected in one line', (name, args, code, line) => {
  const words = own.find(([one]) => one === name)?.[1] ?? []
  const { status, stdout, stderr, made } = run([...words, ...args])
  expect([status, stdout, made]).toEqual([code, '', []])
  expect(stderr).toMatch(/^[^\n]+\n$/)
  expect(stderr.trimEnd()).toMatch(line)
})

test.each([
  ['build', []],
  ['docs', ['--out']],
])('npm run %s replaces no folder of somebody else', (name, option) => {
  const folder = mkdtempSync(join(tmpdir(), 'foreign-'))
  try {
    mkdirSync(join(folder, 'src'))
    writeFileSync(join(folder, 'src/kept.txt'), '')
    for (const path of [folder, join(folder, 'src/kept.txt')]) {
      const { status, stdout, stderr } = run([name, ...option, path])
      expect([status, stdout]).toEqual([2, ''])
      expect(stderr).toMatch(/^[^\n]+\n$/)
    }
    expect(readdirSync(join(folder, 'src'))).toEqual(['kept.txt'])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

describe('npm test', () => {
  test('takes --changed first, with one revision', () => {
    expect(() => readPlan(['--reporter=dot', '--changed'])).toThrow('has to be the first argument')
    expect(() => readPlan(['--changed', 'HEAD', 'x'])).toThrow("unexpected argument 'x'")
    expect(() => readPlan(['--changed', 'nosuch'])).toThrow('there is no revision nosuch')
    expect(() => readPlan(['--changed', '--reporter=dot'])).toThrow('there is no revision --rep')
    expect(() => readPlan(['--chnaged'])).toThrow('did you mean --changed?')
  })

  test('knows the options of vitest', () => {
    const known = ['-t', 'a', '--reporter=dot', '--no-file-parallelism', '--coverage.enabled']
    expect(unknownOption([...known, '--testTimeout', '-1', '--', '--bogus'])).toBeUndefined()
    expect(unknownOption(['--reportr=dot'])).toBe(
      'there is no option --reportr; did you mean --reporter?',
    )
    expect(unknownOption(['-Z'])).toBe('there is no option -Z; see --help')
  })

  test('names the file that was meant', () => {
    expect(() => readPlan(['test/server/walletz.test.ts'])).toThrow(
      "no test file has 'test/server/walletz.test.ts' in its path; did you mean wallets?",
    )
    expect(readPlan(['test/server/wallets.test.ts', '-t', 'a/b'])?.set).toBe('all')
  })
})
