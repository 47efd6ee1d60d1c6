import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createClient } from '../../src/index.ts'
import { verifyWebhook } from '../../src/webhooks/index.ts'
import { freePort } from '../support/free-port.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { startWorld, type Tenant, type TestService } from '../support/service.ts'
import {
  hasTerminal,
  openTypedClient,
  type Running,
  type TypedClient,
} from '../support/typed-client.ts'

let service: TestService
let receiver: Receiver
let url: string
let tenant: Tenant
beforeAll(async () => {
  service = await startWorld()
  receiver = await startReceiver()
  url = await service.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(async () => {
  await service.close()
  await receiver.close()
})

let user: TypedClient
let env: Record<string, string>
beforeEach(async () => {
  user = openTypedClient()
  tenant = await service.tenant()
  env = { SERVICE_URL: url, SERVICE_CLIENT_ID: tenant.clientId, SERVICE_SECRET: tenant.secret }
})
afterEach(() => user.remove())

/** Each test starts several programs. */
const programs = { timeout: 300_000 }
const patience = { timeout: 60_000 }

/** Begins to listen, and waits until it does. */
async function listen(...args: string[]): Promise<Running> {
  const running = user.begin(['listen', ...args], env)
  await expect.poll(running.errors, patience).toContain('listens for the webhooks of ')
  return running
}

async function stop(running: Running): Promise<number | null> {
  running.child.kill('SIGINT')
  return running.ended
}

const linesOf = (running: Running): string[] => running.output().split('\n').filter(Boolean)

describe('listen', programs, () => {
  test('sends the webhooks of a triggered event on, and verifyWebhook accepts them', async () => {
    const before = receiver.received.length
    const running = await listen('--forward-to', `${receiver.url}?own=1`)
    const triggered = await user.command(['trigger', 'item.error'], '', env)
    expect(triggered).toMatchObject({
      code: 0,
      stdout: 'ITEM.ERROR by sandboxItemResetLogin\n',
      stderr: '',
    })
    await expect.poll(() => linesOf(running).length, patience).toBe(1)
    expect(linesOf(running)[0]).toMatch(/^\d\d:\d\d:\d\d {2}ITEM\.ERROR {2}[\w-]+ {2}200 \d+ ms$/)
    const [{ body, headers, path } = { body: '', headers: {}, path: '' }] =
      receiver.received.slice(before)
    expect(path).toMatch(/\?own=1$/)
    const { clientId, secret } = tenant
    const client = createClient({ baseUrl: url, clientId, secret })
    const event = await verifyWebhook(body, headers as Record<string, string>, { client })
    expect(event).toMatchObject({ webhook_type: 'ITEM', webhook_code: 'ERROR' })
    expect(await stop(running)).toBe(0)
    expect(running.output() + running.errors()).not.toContain(secret)
  })

  test('filters events, prints JSON, and hears of a webhook that is sent again', async () => {
    const all = await listen('--json')
    const some = await listen('--json', '--events', 'LOGIN_REPAIRED,ITEM.PENDING_EXPIRATION')
    for (const name of ['ITEM.ERROR', 'LOGIN_REPAIRED']) {
      expect((await user.command(['trigger', name], '', env)).code).toBe(0)
    }
    await expect.poll(() => linesOf(all).length, patience).toBe(2)
    const told = linesOf(all).map((line) => JSON.parse(line))
    expect(told).toMatchObject([
      { webhook_type: 'ITEM', webhook_code: 'ERROR', status: null, error: null },
      { webhook_code: 'LOGIN_REPAIRED' },
    ])
    const { webhook_id } = told[1]
    const again = await user.command(['events', 'resend', webhook_id, '--json'], '', env)
    expect(JSON.parse(again.stdout)).toMatchObject({ webhook_id, request_id: expect.any(String) })
    await expect.poll(() => linesOf(some).length, patience).toBe(2)
    for (const line of linesOf(some)) {
      expect(JSON.parse(line)).toMatchObject({ webhook_id, webhook_code: 'LOGIN_REPAIRED' })
    }
    expect(await Promise.all([stop(all), stop(some)])).toEqual([0, 0])
  })

  test('goes on where the local receiver is down', async () => {
    const port = await freePort()
    const running = await listen('--forward-to', `http://127.0.0.1:${port}/webhooks`)
    await user.command(['trigger', 'ITEM.ERROR'], '', env)
    await expect
      .poll(running.output, patience)
      .toMatch(/ITEM\.ERROR {2}[\w-]+ {2}connection refused\n/)
    expect(await stop(running)).toBe(0)
  })

  test('ends with 1 where the service rejects the secret', async () => {
    const running = user.begin(['listen'], { ...env, SERVICE_SECRET: 'hidden' })
    expect(await running.ended).toBe(1)
    expect(running.errors()).toContain('(INVALID_API_KEYS, request ')
    expect(running.errors()).not.toContain('hidden')
  })

  test.each<[string, string[]]>([
    ['--forward-to must be an http or https URL', ['listen', '--forward-to', 'ftp://a']],
    ['there is no event ITEM.EROR; did you mean ITEM.ERROR?', ['listen', '--events', 'ITEM.EROR']],
    [
      'DEFAULT_UPDATE is one of: IDENTITY.DEFAULT_UPDATE, TRANSACTIONS',
      ['trigger', 'DEFAULT_UPDATE'],
    ],
    ['name an event; --list shows them all', ['trigger']],
    ['--set must be field=value', ['trigger', 'ITEM.ERROR', '--set', 'x']],
    ['--set: colour is not a field', ['trigger', 'ITEM.ERROR', '--set', 'colour=red']],
    [
      '--set: new_transactions must be',
      ['trigger', 'INITIAL_UPDATE', '--set', 'new_transactions=x'],
    ],
    [
      '--set: new_transactions must be at least 0',
      ['trigger', 'TRANSACTIONS.DEFAULT_UPDATE', '--set', 'new_transactions=-5'],
    ],
    ['say what to do: resend', ['events']],
    ['say what to do: tail', ['logs']],
    [
      'there is no operation walletGte; did you mean walletGet?',
      ['logs', 'tail', '--operation', 'walletGte'],
    ],
    ['--status must be a status such as 400', ['logs', 'tail', '--status', '4']],
    ['there is no page for walletGte; did you mean walletGet?', ['open', 'walletGte']],
    ['say for which shell: bash, zsh, fish', ['completion', 'tcsh']],
    ['there is no profile none', ['open', '--profile', 'none']],
  ])('wrong usage: %s', async (line, args) => {
    const { code, stdout, stderr } = await user.command(args, '', env)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(line)
    expect(stderr.trim()).not.toContain('\n')
  })

  test('half of an environment is a mistake, and without one you log in', async () => {
    const half = await user.command(['listen'], '', { SERVICE_CLIENT_ID: 'a' })
    expect(half).toMatchObject({ code: 2, stdout: '' })
    expect(half.stderr).toContain(
      'SERVICE_CLIENT_ID is set, so SERVICE_SECRET or SERVICE_SECRET_FILE',
    )
    const none = await user.command(['listen'])
    expect(none.stderr).toContain('log in first, or name a profile with --profile')
  })
})

describe('trigger', programs, () => {
  test('sets fields that the contract has', async () => {
    const running = await listen('--forward-to', receiver.url)
    const before = receiver.received.length
    const sets = ['--set', 'new_transactions=12', '--set', 'item_id=34']
    const { code, stdout } = await user.command(
      ['trigger', 'TRANSACTIONS.DEFAULT_UPDATE', ...sets, '--json'],
      '',
      env,
    )
    expect({ code, done: JSON.parse(stdout) }).toEqual({
      code: 0,
      done: { event: 'TRANSACTIONS.DEFAULT_UPDATE', by: 'sandboxItemFireWebhook' },
    })
    await expect.poll(() => receiver.received.length, patience).toBe(before + 1)
    expect(JSON.parse(String(receiver.received.at(-1)?.body))).toMatchObject({
      webhook_code: 'DEFAULT_UPDATE',
      new_transactions: 12,
      item_id: '34',
    })
    await stop(running)
  })

  test('says so where nobody listens, and then sends to a webhook of its own', async () => {
    const alone = await user.command(['trigger', 'LOGIN_REPAIRED'], '', env)
    expect(alone).toMatchObject({ code: 1, stdout: '' })
    expect(alone.stderr).toContain('nobody listens')
    const before = receiver.received.length
    const own = await user.command(
      ['trigger', 'LOGIN_REPAIRED', '--webhook', receiver.url],
      '',
      env,
    )
    expect(own.code).toBe(0)
    await expect.poll(() => receiver.received.length, patience).toBe(before + 1)
  })

  test('lists every event of the contract', async () => {
    const { stdout } = await user.command(['trigger', '--list', '--json'])
    const names = JSON.parse(stdout)
    expect(names).toContain('LINK.SESSION_FINISHED')
    expect(names).toHaveLength(new Set(names).size)
  })
})

describe('logs tail', programs, () => {
  test('prints calls as they happen, by operation and status', async () => {
    const running = user.begin(
      ['logs', 'tail', '--operation', 'itemGet', '--status', '4xx', '--json'],
      env,
    )
    await expect.poll(running.errors, patience).toContain('follows the calls of ')
    await tenant.post('/wallet/list', {})
    await tenant.post('/item/get', { access_token: 'none' })
    await expect.poll(() => linesOf(running).length, patience).toBe(1)
    expect(JSON.parse(linesOf(running)[0] ?? '')).toMatchObject({
      ...{ operation_id: 'itemGet', status: 400, path: '/item/get' },
    })
    expect(await stop(running)).toBe(0)
  })
})

describe('open', programs, () => {
  test.each([
    [[], '/dashboard/'],
    [['docs'], '/docs/'],
    [['walletGet'], '/docs/operations/walletGet/'],
    [['itemGet'], '/docs/platform/itemGet/'],
    [['sandboxReset'], '/docs/sandbox/sandboxReset/'],
    [['ITEM.ERROR'], '/docs/webhooks/ITEM.ERROR/'],
    [['ITEM_LOGIN_REQUIRED'], '/docs/errors/ITEM_LOGIN_REQUIRED/'],
  ])('%s prints %s', async (args, path) => {
    const { code, stdout } = await user.command(['open', ...args, '--print'], '', env)
    expect(code).toBe(0)
    expect(new URL(stdout.trim()).pathname).toBe(path)
  })

  test.skipIf(process.platform !== 'linux')(
    'gives the address to the opener as one argument',
    async () => {
      const opener = join(user.folder, 'xdg-open')
      writeFileSync(opener, '#!/bin/sh\nprintf "%s|" "$@" > "$HOME/opened"\n', { mode: 0o755 })
      const display = { ...env, DISPLAY: ':0', PATH: `${user.folder}:${user.env['PATH']}` }
      const { stdout } = await user.command(['open', '--json'], '', display)
      expect(JSON.parse(stdout)).toEqual({ url: `${url}/dashboard/`, opened: true })
      expect(readFileSync(join(user.folder, 'opened'), 'utf8')).toBe(`${url}/dashboard/|`)
      writeFileSync(opener, '#!/bin/sh\nexit 3\n', { mode: 0o755 })
      const failed = await user.command(['open'], '', display)
      expect(failed.stdout).toBe(`${url}/dashboard/\n`)
    },
  )
})

describe('on a terminal', programs, () => {
  test.skipIf(!hasTerminal)(
    'statuses have colors, but not with NO_COLOR, and Ctrl-C ends it',
    async () => {
      const colored = user.inTerminal(['listen', '--forward-to', receiver.url], env)
      const plain = user.inTerminal(['listen', '--forward-to', receiver.url], {
        ...env,
        NO_COLOR: '1',
      })
      for (const { output } of [colored, plain]) {
        await expect.poll(output, patience).toContain('listens for the webhooks of ')
      }
      await user.command(['trigger', 'ITEM.ERROR'], '', env)
      await expect.poll(colored.output, patience).toContain('\u001b[32m200\u001b[0m')
      await expect.poll(plain.output, patience).toContain('  200 ')
      expect(plain.output()).not.toContain('\u001b[')
      for (const { child } of [colored, plain]) child.stdin?.write('\u0003')
      expect(await Promise.all([colored.ended, plain.ended])).toEqual([0, 0])
    },
  )
})
