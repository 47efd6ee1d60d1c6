import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startFaulty } from '../support/conform.ts'
import { startWorld, type TestService } from '../support/service.ts'
import { hasTerminal, openTypedClient, type TypedClient } from '../support/typed-client.ts'

let service: TestService
let url: string
beforeAll(async () => {
  service = await startWorld()
  url = await service.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => service.close())

let user: TypedClient
beforeEach(() => {
  user = openTypedClient()
})
afterEach(() => user.remove())

const secret = 'sandbox-secret'
const configFolder = () => join(user.folder, 'config/financial-data-service')
const profiles = () => join(configFolder(), 'profiles.json')
const login = (...more: string[]) => [
  'login',
  '--base',
  url,
  '--client-id',
  'sandbox-client',
  ...more,
]

describe('login', () => {
  test('stores a profile that only its owner can read, and lists it without its secret', async () => {
    const { code, stdout, stderr } = await user.command(login(), `${secret}\n`)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toBe(`logged in to ${url} as sandbox-client: profile default in ${profiles()}\n`)
    expect(statSync(profiles()).mode & 0o777).toBe(0o600)
    expect(statSync(configFolder()).mode & 0o777).toBe(0o700)
    expect(JSON.parse(readFileSync(profiles(), 'utf8'))).toEqual({
      profiles: [{ name: 'default', base: url, client_id: 'sandbox-client', secret }],
    })
    const listed = await user.command(['login', '--list'])
    expect(listed.stdout).toMatch(/^PROFILE +BASE +CLIENT ID\ndefault +http\S+ +sandbox-client\n$/)
    const asJson = await user.command(['login', '--list', '--json'])
    expect(JSON.parse(asJson.stdout)).toEqual([
      { profile: 'default', base: url, client_id: 'sandbox-client' },
    ])
  })

  test('keeps other profiles, and closes a folder that was open to others', async () => {
    mkdirSync(configFolder(), { recursive: true, mode: 0o755 })
    chmodSync(configFolder(), 0o755)
    await user.command(login('--profile', 'work'), secret)
    expect(statSync(configFolder()).mode & 0o777).toBe(0o700)
    const again = await user.command(login('--profile', 'home', '--json'), secret)
    expect(JSON.parse(again.stdout)).toMatchObject({ profile: 'home', base: url })
    const { stdout } = await user.command(['login', '--list', '--json'])
    expect(JSON.parse(stdout).map((one: { profile: string }) => one.profile)).toEqual([
      'home',
      'work',
    ])
  })

  test('loses no profile where several are stored or removed at once', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    const all = (run: (name: string) => string[]) =>
      Promise.all(names.map((name) => user.command(run(name), secret)))
    const stored = await all((name) => login('--profile', name))
    expect(stored.map(({ code }) => code)).toEqual(names.map(() => 0))
    const { stdout } = await user.command(['login', '--list', '--json'])
    expect(JSON.parse(stdout).map((one: { profile: string }) => one.profile)).toEqual(names)
    const removed = await all((name) => ['logout', '--profile', name])
    expect(removed.map(({ code }) => code)).toEqual(names.map(() => 0))
    expect(JSON.parse(readFileSync(profiles(), 'utf8'))).toEqual({ profiles: [] })
    expect(readdirSync(configFolder())).toEqual(['profiles.json'])
  })

  test('does not wait for a command that was killed', async () => {
    mkdirSync(configFolder(), { recursive: true })
    const lock = `${profiles()}.lock`
    writeFileSync(lock, '')
    const before = Date.now() / 1000 - 11
    utimesSync(lock, before, before)
    expect(await user.command(login(), secret)).toMatchObject({ code: 0 })
    expect(existsSync(lock)).toBe(false)
  })

  test('reads the secret from a file, or from the environment', async () => {
    writeFileSync(join(user.folder, 'secret.txt'), `${secret}\n`)
    const byFile = await user.command(login('--secret-file', 'secret.txt'))
    expect(byFile.code).toBe(0)
    const byVariable = await user.command(login(), '', { SERVICE_SECRET: secret })
    expect(byVariable.code).toBe(0)
  })

  test('stores nothing that the service rejects', async () => {
    const { code, stdout, stderr } = await user.command(login(), 'hidden')
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/\(INVALID_API_KEYS, request \w+\): not stored\n$/)
    expect(stderr).not.toContain('hidden')
    expect(existsSync(profiles())).toBe(false)
  })

  test('stores nothing where no service answers', async () => {
    const other = await startFaulty(url, {
      path: '/webhook_verification_key/get',
      answer: () => ({ status: 200, body: 'a page' }),
    })
    const { code, stderr } = await user.command(
      ['login', '--base', other.url, '--client-id', 'a'],
      'hidden',
    )
    await other.close()
    expect(code).toBe(1)
    expect(stderr).toContain('answered 200, and not as the service does: not stored')
    const silent = await user.command(
      ['login', '--base', 'http://127.0.0.1:1', '--client-id', 'a'],
      'hidden',
    )
    expect(silent).toMatchObject({
      code: 1,
      stderr: 'http://127.0.0.1:1: no answer: bad port: not stored\n',
    })
  })

  test('rejects a file that others may read', async () => {
    await user.command(login(), secret)
    chmodSync(profiles(), 0o644)
    const { code, stderr } = await user.command(['login', '--list'])
    expect(code).toBe(2)
    expect(stderr).toContain(`chmod 600 ${profiles()}`)
  })

  test('does not quote a file that is none of profiles', async () => {
    mkdirSync(configFolder(), { recursive: true })
    writeFileSync(profiles(), '{"profiles": [{"secret": "hidden"', { mode: 0o600 })
    const { code, stderr } = await user.command(['login', '--list'])
    expect(code).toBe(2)
    expect(stderr).toContain('is no file of profiles')
    expect(stderr).not.toContain('hidden')
  })

  test.each<[string, string[], string]>([
    ['--client-id (SERVICE_CLIENT_ID) is needed', ['login'], 'hidden'],
    ['--base must be an http or https URL', ['login', '--base', 'http://a:hidden@c.example'], ''],
    ['--profile must be a name', ['login', '--profile', 'a b'], ''],
    ['standard input is empty', ['login', '--client-id', 'a'], ' \n'],
    [
      'none.txt: there is no such file',
      ['login', '--client-id', 'a', '--secret-file', 'none.txt'],
      '',
    ],
    ['the secret must have only visible ASCII', ['login', '--client-id', 'a'], 'hid\nden'],
    ['--profile and --all cannot be used', ['logout', '--all', '--profile', 'a'], ''],
  ])('wrong usage: %s', async (line, args, input) => {
    const { code, stdout, stderr } = await user.command(args, input)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(line)
    expect(stderr.trim()).not.toMatch(/\n|hid/)
  })
})

describe('on a terminal', () => {
  test.skipIf(!hasTerminal)('login asks for the secret, and shows nothing of it', async () => {
    const typed = user.inTerminal(['login', '--base', url])
    await expect.poll(typed.output).toContain('client id for ')
    typed.child.stdin?.write('sandbox-client\r')
    await expect.poll(typed.output).toContain('(nothing is shown): ')
    typed.child.stdin?.write(`${secret}\r`)
    expect(await typed.ended).toBe(0)
    expect(typed.output()).toContain('logged in to ')
    expect(typed.output()).not.toContain(secret)
    expect(JSON.parse(readFileSync(profiles(), 'utf8')).profiles[0].secret).toBe(secret)
  })

  test.skipIf(!hasTerminal)('Ctrl-C at the question stores nothing', async () => {
    const typed = user.inTerminal(login())
    await expect.poll(typed.output).toContain('(nothing is shown): ')
    typed.child.stdin?.write('sand\u0003')
    expect(await typed.ended).toBe(1)
    expect(typed.output()).toMatch(/nothing was stored\s+$/)
    expect(existsSync(profiles())).toBe(false)
  })
})

describe('logout', () => {
  test('removes one profile, or all', async () => {
    for (const name of ['one', 'two', 'three']) await user.command(login('--profile', name), secret)
    const one = await user.command(['logout', '--profile', 'one'])
    expect(one).toMatchObject({ code: 0, stdout: 'removed one\n' })
    const none = await user.command(['logout'])
    expect(none).toMatchObject({ code: 1, stderr: 'there is no profile default\n' })
    const all = await user.command(['logout', '--all', '--json'])
    expect(JSON.parse(all.stdout)).toEqual({ removed: ['three', 'two'] })
    expect(readFileSync(profiles(), 'utf8')).not.toContain(secret)
  })
})
