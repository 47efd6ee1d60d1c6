import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { root } from '../../scripts/contract/contract.ts'
import { type StartedService, start } from '../../src/server/boot/start.ts'
import { type Config, readConfig } from '../../src/server/config/config.ts'
import { attempt } from '../support/installed-package.ts'

let folder: string
const open: StartedService[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'backup-'))
  writeFileSync(
    join(folder, 'world.yaml'),
    'clients: [{ client_id: lender, secret: lender-secret }]\n',
  )
})
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
  rmSync(folder, { recursive: true, force: true })
})

const path = (name: string): string => join(folder, name)

async function started(data: string, environment = {}): Promise<StartedService> {
  const config = readConfig([], {
    PORT: '0',
    DATA_DIR: path(data),
    FIXTURE: path('world.yaml'),
    ...environment,
  }) as Config
  const service = await start(config)
  open.push(service)
  return service
}

async function close(service: StartedService): Promise<void> {
  open.splice(open.indexOf(service), 1)
  await service.close()
}

async function createWallet({ address }: StartedService): Promise<string> {
  const body = await post(address, '/wallet/create', { iso_currency_code: 'EUR' })
  return String(body['wallet_id'])
}

async function post(address: string, to: string, body: object): Promise<Record<string, unknown>> {
  const response = await fetch(address + to, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'SERVICE-CLIENT-ID': 'lender',
      'SERVICE-SECRET': 'lender-secret',
    },
    body: JSON.stringify(body),
  })
  return (await response.json()) as Record<string, unknown>
}

/** Runs the command as an operator does. */
async function backUp(args: string[], env: Record<string, string> = {}) {
  const main = join(root, 'src/cli/main.ts')
  const ended = await attempt(process.execPath, [main, 'backup', ...args], { cwd: folder, env })
  return { code: ended.code, output: ended.stdout.trim(), errors: ended.stderr.trim() }
}

describe('a backup', () => {
  test('of a service that runs is a folder to start on, with ids, tokens and key', async () => {
    const service = await started('data')
    const wallet_id = await createWallet(service)
    const { code, output } = await backUp(['copy', '--data', 'data'])
    expect(code).toBe(0)
    expect(output).toMatch(
      /^data is in copy: [\d.]+ MB, checked, with its key: everyone who has the copy/,
    )
    await createWallet(service)
    const restored = await started('copy')
    expect(await post(restored.address, '/wallet/get', { wallet_id })).toMatchObject({ wallet_id })
    const { wallets } = await post(restored.address, '/wallet/list', {})
    expect(wallets).toHaveLength(1)
  })

  test('can be made while no service runs, too', async () => {
    const service = await started('data')
    const wallet_id = await createWallet(service)
    await close(service)
    expect(await backUp(['copy'], { DATA_DIR: path('data') })).toMatchObject({ code: 0 })
    const restored = await started('copy')
    expect(await post(restored.address, '/wallet/get', { wallet_id })).toMatchObject({ wallet_id })
  })

  test('leaves its key out on demand, and then needs it to start', async () => {
    const service = await started('data')
    await createWallet(service)
    const { output } = await backUp(['copy', '--data', 'data', '--without-key'])
    expect(output).toMatch(/, checked, without its key$/)
    expect(readdirSync(path('copy'))).toEqual(['service.sqlite'])
    await expect(started('copy')).rejects.toThrow(/encryption\.key is missing/)
    const key = readFileSync(path('data/encryption.key'), 'utf8')
    await started('copy', { ENCRYPTION_KEY: key })
  })

  test.each([
    ['of another key', `${'7a'.repeat(32)}\n`],
    ['of no key', 'not any more\n'],
  ])('leaves a file out that lies beside the data and is %s', async (_case, content) => {
    await started('data', { ENCRYPTION_KEY: '5e'.repeat(32) })
    writeFileSync(path('data/encryption.key'), content)
    const { output } = await backUp(['copy', '--data', 'data'])
    expect(output).toMatch(/, checked, without its key$/)
    expect(readdirSync(path('copy'))).toEqual(['service.sqlite'])
  })

  test.runIf(process.platform === 'linux')('that cannot be made holds up nothing', async () => {
    const service = await started('data')
    const rejected = 'no backup was made: /proc/none/copy cannot be made or written (ENOENT)'
    expect(await backUp(['/proc/none/copy', '--data', 'data'])).toMatchObject({
      code: 1,
      errors: rejected,
    })
    await createWallet(service)
  })

  test('that the command cannot see is reported as one that was not checked', async () => {
    mkdirSync(path('data'))
    const elsewhere = createServer({ allowHalfOpen: true }, (asking) => {
      void text(asking).then(() => asking.end(JSON.stringify({ key: false })))
    })
    elsewhere.listen(path('data/service.sock'))
    await once(elsewhere, 'listening')
    const { code, errors } = await backUp(['copy', '--data', 'data'])
    elsewhere.close()
    expect(code).toBe(1)
    expect(errors).toMatch(/^the copy was not checked: the service has written .*cannot be seen/)
    expect(existsSync(path('copy'))).toBe(false)
  })

  test('that cannot be queried does not stop a service', async () => {
    mkdirSync(path('data/service.sock'), { recursive: true })
    await createWallet(await started('data'))
  })

  test('is for its owner only', async () => {
    await started('data')
    await backUp(['copy', '--data', 'data'])
    const modeOf = (name: string) => statSync(path(name)).mode & 0o777
    expect(['copy', 'copy/service.sqlite', 'copy/encryption.key'].map(modeOf)).toEqual([
      0o700, 0o600, 0o600,
    ])
    expect(modeOf('data/service.sock')).toBe(0o600)
  })

  test('goes into a new or an empty folder only', async () => {
    const service = await started('data')
    mkdirSync(path('copy'))
    writeFileSync(path('copy/notes'), '')
    const args = ['copy', '--data', 'data']
    const rejected = `no backup was made: ${path('copy')} must be a new or an empty folder`
    expect(await backUp(args)).toEqual({ code: 1, output: '', errors: rejected })
    await close(service)
    expect(await backUp(args)).toEqual({ code: 1, output: '', errors: rejected })
    expect(readdirSync(path('copy'))).toEqual(['notes'])
  })

  test.each<[string[], Record<string, string>, RegExp]>([
    [[], {}, /^name one folder for the backup/],
    [['one', 'two'], {}, /^name one folder for the backup/],
    [['copy', '--data', 'nothing'], {}, /^nothing\/service\.sqlite is not there: name the folder/],
    [['copy'], { DATABASE_URL: 'postgres://127.0.0.1/x' }, /^DATABASE_URL is set.*pg_dump/],
  ])('is rejected for %j in one line', async (args, environment, why) => {
    const { code, errors } = await backUp(args, environment)
    expect(code).toBe(2)
    expect(errors).toMatch(why)
    expect(existsSync(path('copy'))).toBe(false)
  })

  test('is waited for by a service that ends, and who asks for nothing is not', async () => {
    const service = await started('data')
    const idle = connect(path('data/service.sock'))
    await once(idle, 'connect')
    const asking = connect({ path: path('data/service.sock'), allowHalfOpen: true })
    asking.end(JSON.stringify({ actor: 'a test', target: path('copy'), withKey: true }))
    const answer = text(asking)
    while (!existsSync(path('copy'))) await new Promise(setImmediate)
    await close(service)
    expect(JSON.parse(await answer)).toEqual({ key: true, audited: true })
    expect(readdirSync(path('copy')).sort()).toEqual(['encryption.key', 'service.sqlite'])
    expect(existsSync(path('data/service.sock'))).toBe(false)
  })

  test('is taken over by the next service after one that was killed', async () => {
    await close(await started('data'))
    // What a process leaves that is killed.
    writeFileSync(path('data/service.sock'), '')
    await started('data')
    expect(await backUp(['copy', '--data', 'data'])).toMatchObject({ code: 0 })
  })
})
