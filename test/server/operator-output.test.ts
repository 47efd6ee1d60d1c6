import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from '../../scripts/contract/contract.ts'
import { toTable } from '../../src/cli/ask-operator.ts'
import { start } from '../../src/server/boot/start.ts'
import { type Config, readConfig } from '../../src/server/config/config.ts'
import { january, writeStatement } from '../support/import-file.ts'

const main = join(root, 'src/cli/main.ts')
const env = { SERVICE_ENV: 'production', ENCRYPTION_KEY: randomBytes(32).toString('hex') }

let folder: string
let data: string
let id: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'output-'))
  data = join(folder, 'data')
  const args = ['--port', '0', '--data', data]
  await (await start(readConfig(args, { LOG_LEVEL: 'silent', ...env }) as Config)).close()
  id = JSON.parse(command('client', 'create', 'Budget app', '--json').output).client_id
  writeFileSync(join(folder, 'january.ofx'), writeStatement('OFX 1.x', january))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Stdout = 'pipe' | number

/** Runs a command on the data while no service runs. */
function command(...args: string[]) {
  return run(args)
}

function run(
  args: string[],
  stdout: Stdout = 'pipe',
  user: { uid?: number; gid?: number; env?: Record<string, string> } = {},
) {
  const isOnData = !args.includes('--data') && args[0] !== 'statement'
  const ended = spawnSync(
    process.execPath,
    [main, ...args, ...(isOnData ? ['--data', data] : [])],
    { cwd: folder, env, encoding: 'utf8', stdio: ['ignore', stdout, 'pipe'], ...user },
  )
  return { code: ended.status, output: ended.stdout ?? '', errors: ended.stderr.trim() }
}

describe('standard output that cannot be written', () => {
  test.runIf(process.platform === 'linux').each([
    ['client', 'create', 'Lost', '--json'],
    ['client', 'list'],
    ['statement', 'january.ofx'],
  ])('%s %s is an error in one line', (...args) => {
    const full = openSync('/dev/full', 'w')
    const { code, errors } = run(args, full)
    closeSync(full)
    expect({ code, errors }).toEqual({
      code: 1,
      errors: 'standard output cannot be written (ENOSPC): what was to be printed is lost',
    })
  })

  test.runIf(process.platform !== 'win32').each(['client list', 'statement ../january.ofx'])(
    '%s says nothing of a pipe that its reader closed',
    (words) => {
      const script = `"$0" "$1" ${words} | true`
      const ended = spawnSync('sh', ['-c', script, process.execPath, main], {
        cwd: data,
        env: { ...env, DATA_DIR: data },
        encoding: 'utf8',
      })
      expect(ended.stderr).toBe('')
    },
  )
})

describe('what an operator mistypes', () => {
  test('a file in place of the data folder is one line', () => {
    const file = join(folder, 'january.ofx')
    for (const args of [
      ['client', 'list'],
      ['jobs', 'list'],
      ['backup', 'copy'],
    ]) {
      const { code, errors } = command(...args, '--data', file)
      expect(code).toBe(1)
      expect(errors).toMatch(/^[^\n]*--data \(DATA_DIR\): [^\n]*january\.ofx is no folder[^\n]*$/)
    }
  })

  test('a grace that no date can hold names its option', () => {
    const { code, errors } = command('client', 'rotate-secret', id, '--grace', '9'.repeat(20))
    expect(code).toBe(2)
    expect(errors).toContain('--grace must be at most 2592000 seconds (30 days)')
    expect(command('client', 'rotate-secret', id, '--grace', '2592000').code).toBe(0)
  })

  test.each(['item', 'webhook'])('%s list says that there is no such client', (name) => {
    const { code, output, errors } = command(name, 'list', '--client', 'nope')
    expect({ code, output }).toEqual({ code: 1, output: '' })
    expect(errors).toContain('there is no client nope')
  })

  test('control characters are rejected in names, and escaped where they are shown', () => {
    const esc = '\u001b[31mred\u202e'
    const order = ['import', 'january.ofx', '--client', id]
    for (const args of [
      ['client', 'create', esc],
      [...order, '--user', 'a\nb'],
      [...order, '--user', 'ada', '--account-id', '1\u0007'],
    ]) {
      const { code, errors } = command(...args)
      expect({ code, errors }).toMatchObject({
        code: 2,
        errors: expect.stringContaining('must have no control characters'),
      })
    }
    const name = 'jan\u202euary\u0085.ofx'
    writeFileSync(join(folder, name), writeStatement('OFX 1.x', january))
    const { output } = command('import', name, '--client', id, '--user', 'eve', '--json')
    expect(output).toContain(String.raw`"jan\u202euary\u0085.ofx"`)
    expect(JSON.parse(output)).toMatchObject({ file: name })
    const { errors } = command('item', 'list', '--client', esc)
    expect(errors).toContain(String.raw`there is no client \u001b[31mred\u202e`)
  })
})

test('a table escapes what its rows hold', () => {
  expect(toTable(['NAME', 'ID'], [['a\u202e\n\u0085', '1']])).toBe(
    String.raw`NAME                 ID
a\u202e\u000a\u0085  1`,
  )
})

describe('import', () => {
  const order = (user: string) => ['--client', id, '--user', user]

  test('takes a negative balance, also as an argument of its own', () => {
    const rest = [...order('negative'), '--dry-run']
    expect(command('import', 'january.ofx', '--balance', '-12.50', ...rest).errors).toBe('')
    expect(command('import', 'january.ofx', '--balance=-12.50', ...rest).errors).toBe('')
    const { code, errors } = command('client', 'create', '--webhook', '--json')
    expect({ code, errors }).toMatchObject({
      code: 2,
      errors: expect.stringContaining('ambiguous'),
    })
  })

  test.each([
    [['january.ofx', 'missing.ofx'], 1],
    [['missing.ofx', 'january.ofx'], 1],
    [['missing.ofx', 'data'], 2],
  ])('of %s ends with %i', (names, expected) => {
    const { code, output, errors } = command('import', ...names, ...order('files'))
    expect(code).toBe(expected)
    expect(errors).toContain('missing.ofx: there is no such file')
    expect(output.includes('january.ofx is in Item')).toBe(expected === 1)
  })
})

describe('simplefin', () => {
  const PUBLIC_URL = 'https://money.example.com'
  const withUrl = (...args: string[]) => run(args, 'pipe', { env: { ...env, PUBLIC_URL } })

  test('prints a setup token once, and lists what it is for', () => {
    const created = withUrl('simplefin', 'create', 'Budget', '--client', id, '--json')
    const { setup_token, id: access } = JSON.parse(created.output)
    expect(Buffer.from(setup_token, 'base64').toString()).toMatch(
      /^https:\/\/money\.example\.com\/simplefin\/claim\/[0-9a-f]{64}$/,
    )
    const { output } = command('simplefin', 'list')
    expect(output).toContain(access)
    expect(output).not.toContain(setup_token)
    expect(output).toMatch(/Budget +open +never/)
    expect(command('simplefin', 'revoke', access).output).toMatch(/Budget +revoked +never/)
  })

  test.each<[string[], number, string]>([
    [['create', 'Budget', '--client', 'none'], 1, 'set PUBLIC_URL'],
    [['create', 'Budget'], 2, 'give either --item ID or --client ID'],
    [['create', '--client', 'none'], 2, 'give the access a name'],
    [['revoke', 'none'], 1, 'there is no access none: `simplefin list` shows all'],
    [['end'], 2, 'say what to do: create, list or revoke'],
  ])('%j ends with %i', (args, expected, message) => {
    const { code, errors } = command('simplefin', ...args)
    expect(code).toBe(expected)
    expect(errors).toContain(message)
  })
})

const isRoot = process.getuid?.() === 0

test.runIf(process.platform !== 'win32')('data of another user names the permissions', () => {
  const file = join(data, 'service.sqlite')
  for (const path of [folder, data]) chmodSync(path, 0o755)
  chmodSync(file, 0o444)
  try {
    const { code, errors } = run(
      ['client', 'list'],
      'pipe',
      isRoot ? { uid: 65534, gid: 65534 } : {},
    )
    expect(code).toBe(1)
    expect(errors).toMatch(/service\.sqlite cannot be used: this user may not read and write it/)
    expect(errors).not.toMatch(/disk|\n/)
  } finally {
    chmodSync(file, 0o600)
  }
})
