import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { currentVersion, eachExample, readBundle, root } from '../../scripts/contract/contract.ts'
import { startService, type TestService } from '../../src/testing/index.ts'
import { attempt, type Ended } from '../support/installed-package.ts'

// The command line from its sources; package.test.ts runs the one that is installed.

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'commands-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const main = join(root, 'src/cli/main.ts')

/** Runs a command with this on its standard input. */
const command = (args: string[], input = '', env: Record<string, string> = {}): Promise<Ended> =>
  attempt(process.execPath, [main, ...args], { cwd: folder, input, env })

function file(name: string, content: string): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

describe('wrong usage is one line and the exit code 2:', () => {
  test.concurrent.each<[string, string[]]>([
    ['a command is needed', []],
    ['there is no command launch', ['launch']],
    ['there is no command serv; did you mean serve?', ['serv']],
    ["Unknown option '--prot'; did you mean --port?", ['mock', '--prot', '1']],
    ["Unknown option '--resposne'; did you mean --response?", ['validate', '--resposne']],
    ["Unknown option '--bogus'", ['validate', '--bogus']],
    ['name an operation, or give --webhook', ['validate']],
    ['there is no operation walletlist; did you mean walletList?', ['validate', 'walletlist']],
    ['did you mean transactionsSync?', ['validate', 'transactionSync']],
    ['did you mean transactionsSync?', ['validate', 'transactoinsSync']],
    ['there is no operation toString', ['validate', 'toString']],
    ['--api-version must be one of: ', ['validate', 'walletList', '--api-version', '2021-01-01']],
    ['none.json: there is no such file', ['validate', 'walletList', 'none.json']],
    ['name one file', ['validate', 'walletList', 'a.json', 'b.json']],
    ['--webhook and --response cannot be used', ['validate', '--webhook', '--response']],
    ['--header is needed', ['verify-webhook']],
    ['give one of --key, --url', ['verify-webhook', '--header', 'x']],
    ['--max-age must be a whole number', ['verify-webhook', '--header', 'x', '--max-age', '1m']],
    ['SERVICE_CLIENT_ID and', ['verify-webhook', '--header', 'x', '--url', 'http://127.0.0.1']],
    ["Unknown option '--bogus'", ['mock', '--bogus']],
    ['say what to do: check', ['institutions']],
    ['name one file', ['institutions', 'check']],
    ['none.yaml: there is no such file', ['institutions', 'check', 'none.yaml']],
    ['.: is a folder', ['institutions', 'check', '.']],
    ['say what to do: check', ['categories']],
    ['none.yaml: there is no such file', ['categories', 'check', 'none.yaml']],
    ['say what to do: list or rerun', ['jobs']],
    ['say what to do: list or rerun', ['jobs', 'delete']],
    ['list takes no IDs', ['jobs', 'list', 'one']],
    ['give the IDs of jobs, or --all', ['jobs', 'rerun']],
    ['give the IDs of jobs, or --all', ['jobs', 'rerun', 'one', '--all']],
  ])('%s', async (line, args) => {
    const { code, stdout, stderr } = await command(args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(line)
    expect(stderr.trim()).not.toContain('\n')
  })

  test.concurrent.each([
    ['--url must be an http or https URL', 'http://a:hidden@c.example', 'hidden'],
    ['--url must be an http or https URL', 'http://[hidden', 'hidden'],
    ['the header SERVICE-SECRET has a character', 'http://127.0.0.1:1', 'hid\nden'],
  ])('%s, and shows neither: %s', async (line, url, SERVICE_SECRET) => {
    const env = { SERVICE_CLIENT_ID: 'sandbox-client', SERVICE_SECRET }
    const args = ['verify-webhook', '--header', 'x', '--url', url]
    const { code, stderr } = await command(args, '', env)
    expect(code).toBe(2)
    expect(stderr).toContain(line)
    expect(stderr.trim()).not.toMatch(/\n|hid/)
  })

  test('but of the service it is 1, as for every start that fails', async () => {
    const { code, stderr } = await command(['serve', '--bogus'])
    expect({ code, stderr }).toEqual({ code: 1, stderr: "Unknown option '--bogus'\n" })
  })
})

describe('help', () => {
  test.concurrent.each(['serve', 'mock', 'validate', 'verify-webhook'])(
    'of %s has an example',
    async (name) => {
      const { code, stdout } = await command([name, '--help'])
      expect(code).toBe(0)
      expect(stdout).toMatch(new RegExp(`^usage: financial-data-service ${name} `))
      expect(stdout).toContain('\nexamples:\n  ')
    },
  )

  test('names every command', async () => {
    const { code, stdout } = await command(['--help'])
    expect(code).toBe(0)
    for (const name of ['serve', 'mock', 'validate', 'verify-webhook']) {
      expect(stdout).toMatch(new RegExp(`^ {2}${name} `, 'm'))
    }
  })
})

describe('validate', () => {
  test('says what is wrong with a request, and where', async () => {
    const { code, stdout } = await command(['validate', 'transactionsSync'], '{ "count": 501 }')
    expect(code).toBe(1)
    expect(stdout.split('\n')).toEqual([
      `not valid: transactionsSync request, version ${currentVersion}`,
      '  access_token  MISSING_FIELDS  is required',
      '  count         INVALID_FIELD  must be at most 500',
      '',
    ])
  })

  test('says the same as JSON', async () => {
    const args = ['validate', 'walletGet', '--json', '--api-version', '2018-05-22']
    const { code, stdout } = await command(args, '{}')
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toEqual({
      valid: false,
      subject: 'walletGet request',
      version: '2018-05-22',
      issues: [{ path: 'wallet_id', code: 'MISSING_FIELDS', message: 'is required' }],
    })
  })

  test('waits for a body that comes in parts', async () => {
    const { code, stdout, stderr } = await command(
      ['validate', 'walletList'],
      `${' '.repeat(2e7)}{}`,
    )
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^valid: walletList request/)
  })

  test('rejects what is no JSON', async () => {
    const { code, stdout } = await command(['validate', 'walletList', '-'], '{')
    expect(code).toBe(1)
    expect(stdout).toContain('INVALID_BODY')
  })

  const examples = eachExample(readBundle())
  const exampleOf = (place: string) =>
    JSON.stringify(examples.find((example) => example.place === place)!.value)

  test('lets the answer of an operation and a webhook pass', async () => {
    const answer = file('answer.json', exampleOf('accountsGet 200'))
    const event = file('event.json', exampleOf('TRANSACTIONS.SYNC_UPDATES_AVAILABLE webhook'))
    const ended = await Promise.all([
      command(['validate', 'accountsGet', answer, '--response']),
      command(['validate', '--webhook', event]),
      command(['validate', '--webhook'], JSON.stringify(acknowledged)),
      command(['validate', '--webhook'], JSON.stringify({ ...acknowledged, new_webhook_url: 1 })),
      command(['validate', 'sandboxClockGet'], '{}'),
    ])
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0, 1, 0])
  })

  const acknowledged = {
    webhook_type: 'ITEM',
    webhook_code: 'WEBHOOK_UPDATE_ACKNOWLEDGED',
    item_id: '5eEvj67hPLEmwFi8wtQ9KbQ4FkzAuGsTP6kLX',
    new_webhook_url: 'https://lender.example.com/webhooks/items',
    error: null,
    environment: 'sandbox',
  }

  test('rejects a webhook that the contract does not have', async () => {
    const body = '{ "webhook_type": "TRANSACTIONS", "webhook_code": "toString" }'
    const { code, stdout } = await command(['validate', '--webhook'], body)
    expect(code).toBe(1)
    expect(stdout).toContain('`webhook_code`')
  })

  test('knows the webhooks of every version, since all have the same, and of the platform API', () => {
    const own = globSync('generated/*/validators/webhooks.js', { cwd: root }).sort()
    const documents = [currentVersion, 'platform']
    expect(own).toEqual(documents.map((name) => `generated/${name}/validators/webhooks.js`))
  })
})

describe('verify-webhook', () => {
  let service: TestService
  let body: string
  let header: string
  let key: string
  beforeAll(async () => {
    service = await startService()
    const inbox = await service.inbox()
    await service.linkItem({ webhook: inbox.url })
    await inbox.next('INITIAL_UPDATE')
    const delivery = inbox.all[0]!
    body = delivery.body
    header = String(delivery.headers['service-verification'])
    const { kid } = JSON.parse(Buffer.from(header.split('.')[0]!, 'base64url').toString())
    const answer = await service.client.webhookVerificationKeyGet({ key_id: kid }).orThrow()
    key = file('key.json', JSON.stringify(answer))
  })
  afterAll(() => service?.close())

  test('verifies a webhook of the service with a key in a file', async () => {
    const { code, stdout } = await command(
      ['verify-webhook', '--header', `@${file('header.txt', `${header}\n`)}`, '--key', key],
      body,
    )
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'valid: TRANSACTIONS.INITIAL_UPDATE\n' })
    const line = `service-verification: ${header}`
    const pasted = await command(['verify-webhook', '--header', line, '--key', key], body)
    expect(pasted.stdout).toBe(stdout)
  })

  test('verifies it with the key of the service', async () => {
    const args = ['verify-webhook', '--header', header, '--url', service.url, '--json']
    const { clientId, secret } = service
    const credentials = { SERVICE_CLIENT_ID: clientId, SERVICE_SECRET: secret }
    const { code, stdout } = await command(args, body, credentials)
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ valid: true, webhook_code: 'INITIAL_UPDATE' })
  })

  test('says why a body that was written again fails verification', async () => {
    const again = JSON.stringify(JSON.parse(body), null, 1)
    const args = ['verify-webhook', '--header', header, '--key', key]
    const { code, stdout } = await command(args, again)
    expect(code).toBe(1)
    expect(stdout).toMatch(/^not verified: altered_body: [^\n]+\n$/)
  })

  test('does not say that a webhook is forged when the key cannot be had', async () => {
    const args = ['verify-webhook', '--header', header, '--url', service.url]
    const secret = 'not-the-secret'
    const env = { SERVICE_CLIENT_ID: service.clientId, SERVICE_SECRET: secret }
    const { code, stdout, stderr } = await command(args, body, env)
    expect(code).toBe(2)
    expect(stdout).toMatch(/^not verified: key_unavailable: .*INVALID_API_KEYS.*\n$/)
    expect(stdout + stderr).not.toContain(secret)
  })

  test('rejects a file that holds no key, and does not show it', async () => {
    const wrong = file('wrong.json', '{ "d": "private" }')
    const { code, stderr } = await command(['verify-webhook', '--header', header, '--key', wrong])
    expect(code).toBe(2)
    expect(stderr).toContain('holds no key with `kid`, `x` and `y`')
    expect(stderr).not.toContain('private')
  })
})

test('--version is that of the package', async () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  expect((await command(['--version'])).stdout).toBe(`${version}\n`)
})
