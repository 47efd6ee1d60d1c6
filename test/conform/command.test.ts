import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from '../../scripts/contract/contract.ts'
import { startFaulty } from '../support/conform.ts'
import { attempt } from '../support/installed-package.ts'
import { type RunningMock, startMock } from '../support/mock.ts'

let mock: RunningMock
let folder: string
beforeAll(async () => {
  mock = await startMock()
  folder = mkdtempSync(join(tmpdir(), 'conform-'))
})
afterAll(async () => {
  await mock.close()
  rmSync(folder, { recursive: true })
})

const main = join(root, 'src/cli/main.ts')
const secret = 'sandbox-secret'

const command = (args: string[], env: Record<string, string> = { SERVICE_SECRET: secret }) =>
  attempt(process.execPath, [main, 'conform', ...args], {
    cwd: folder,
    env: { SERVICE_CLIENT_ID: '', SERVICE_SECRET: '', ...env },
  })

const usual = (url = mock.url) => [
  ...['--base', url, '--client-id', 'sandbox-client'],
  ...['--stateless', '--only', 'walletGet'],
]

describe('conform', () => {
  test('prints a table, and ends with 0', async () => {
    const { code, stdout, stderr } = await command(usual())
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^OPERATION +PASSED +FAILED +NOT JUDGED\nwalletGet +\d+\n/)
    expect(stdout).toMatch(/: (\d+) of \1 cases passed \(100 %\), 0 not judged\n\d+ requests in /)
    expect(stdout + stderr).not.toContain(secret)
  })

  test('names what is wrong, writes reports, and ends with 1', async () => {
    const faulty = await startFaulty(mock.url, {
      path: '/wallet/get',
      answer: ({ status, body }) =>
        status === 200 ? { body: { ...body, status: 'FROZEN <&>' } } : undefined,
    })
    const reports = ['--report', 'one.json', '--report', 'one.xml']
    const { code, stdout } = await command([...usual(faulty.url), ...reports])
    await faulty.close()
    expect(code).toBe(1)
    expect(stdout).toContain(
      'FAILED walletGet, answers: walletGetRequest\n  status: must be one of',
    )
    const report = JSON.parse(readFileSync(join(folder, 'one.json'), 'utf8'))
    expect(report).toMatchObject({ failed: 1, sandbox: false, version: '2020-09-14' })
    const xml = readFileSync(join(folder, 'one.xml'), 'utf8')
    expect(xml).toMatch(/<testsuite name="walletGet" tests="\d+" failures="1" skipped="0"/)
    expect(xml).toContain('<failure message="status: must be one of: ')
    expect(xml + JSON.stringify(report)).not.toMatch(/sandbox-secret|FROZEN/)
  })

  test('prints JSON for programs', async () => {
    const { code, stdout } = await command([...usual(), '--json'])
    const { passed, failed, results } = JSON.parse(stdout)
    expect({ code, failed, all: results.length }).toEqual({ code: 0, failed: 0, all: passed })
  })

  test('reads the secret from a file', async () => {
    writeFileSync(join(folder, 'secret'), `${secret}\n`)
    const { code } = await command(usual(), { SERVICE_SECRET_FILE: join(folder, 'secret') })
    expect(code).toBe(0)
  })

  const script = '/usr/bin/script'
  test.skipIf(!existsSync(script))('shows its progress on a terminal alone', async () => {
    const quoted = [process.execPath, main, 'conform', ...usual()].map((one) => `'${one}'`)
    const env = { ...process.env, SERVICE_SECRET: secret }
    const child = spawn(script, ['-qec', quoted.join(' '), '/dev/null'], {
      ...{ cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] },
    })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text
    })
    const code = await new Promise((resolve) => child.once('close', resolve))
    expect(code).toBe(0)
    expect(output).toContain('\r\u001b[K1 of ')
    expect(output.split('\u001b[K').at(-1)).toMatch(/^OPERATION +PASSED/)
  })
})

describe('what cannot be judged is one line and the exit code 2:', () => {
  test.concurrent.each<[string, string[], Record<string, string>]>([
    ['--base must be an http or https URL', ['--client-id', 'a'], { SERVICE_SECRET: 'hidden' }],
    ['--base must be an http or https URL', ['--base', 'http://a:hidden@b.example'], {}],
    ['--client-id (SERVICE_CLIENT_ID) is needed', ['--base', 'http://127.0.0.1:1'], {}],
    [
      'SERVICE_SECRET or SERVICE_SECRET_FILE is needed',
      ['--base', 'http://b', '--client-id', 'a'],
      {},
    ],
    [
      'cannot be used together',
      ['--base', 'http://b', '--client-id', 'a'],
      { SERVICE_SECRET: 'hidden', SERVICE_SECRET_FILE: 'x' },
    ],
    ['--version must be one of: ', ['--base', 'http://b', '--version', '2021-01-01'], {}],
    [
      '--other-client-id needs OTHER_SERVICE_SECRET',
      ['--base', 'http://b', '--client-id', 'a', '--other-client-id', 'b'],
      { SERVICE_SECRET: 'hidden' },
    ],
    [
      'http://127.0.0.1:1: no answer: ',
      ['--base', 'http://127.0.0.1:1', '--client-id', 'a'],
      { SERVICE_SECRET: 'hidden' },
    ],
  ])('%s', async (line, args, env) => {
    const { code, stdout, stderr } = await command(args, env)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(line)
    expect(stderr.trim()).not.toMatch(/\n|hidden/)
  })

  test('wrong credentials', async () => {
    const { code, stderr } = await command(usual(), { SERVICE_SECRET: 'hidden' })
    expect(code).toBe(2)
    expect(stderr).toMatch(/^the service rejects the client id and the secret \(see .*\)\n$/)
  })

  test('an operation that does not exist', async () => {
    const { code, stderr } = await command([...usual().slice(0, -1), 'walletGte'])
    expect(code).toBe(2)
    expect(stderr).toContain('there is no operation walletGte; did you mean walletGet?')
  })
})
