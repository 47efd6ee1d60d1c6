import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from '../../scripts/contract/contract.ts'
import { optionTable } from '../../scripts/docs/option-table.ts'
import { type Config, readConfig } from '../../src/server/config/config.ts'
import { productionKey } from '../support/production-key.ts'

const read = (args: string[], environment: Record<string, string> = {}): Config =>
  readConfig(args, environment) as Config

const production = { SERVICE_ENV: 'production', ENCRYPTION_KEY: productionKey }

describe('an option', () => {
  test('of the command line beats that of the environment, even one that is wrong', () => {
    expect(read(['--port', '0', '--data', 'a'], { PORT: 'x', DATA_DIR: 'b' })).toMatchObject({
      port: 0,
      data: 'a',
    })
  })

  test('whose variable is empty has its usual value', () => {
    const empty = {
      PORT: '',
      HOST: '',
      DATA_DIR: '',
      MEMORY: '',
      DATABASE_URL: '',
      CORS_ORIGIN: '',
    }
    expect(read([], empty)).toEqual(read([]))
  })

  test('that is a switch is read from a word', () => {
    expect(read([], { MEMORY: 'true' }).data).toBeUndefined()
    expect(read([], { MEMORY: '0' }).data).toBe('data')
  })

  test('limits rates in production unless it says otherwise', () => {
    const limits = (more: object) => read([], { ...production, ...more }).rateLimits
    expect([limits({}), limits({ RATE_LIMITS: 'off' })]).toEqual(['production', 'off'])
    expect(read([]).rateLimits).toBe('off')
  })

  test('gives origins as browsers send them', () => {
    const given = { CORS_ORIGIN: 'https://App.example.com:443/, http://b.example.com:8080' }
    const origins = ['https://app.example.com', 'http://b.example.com:8080']
    expect(read([], given).corsOrigins).toEqual(origins)
  })

  test('that is a list is empty by default', () => {
    const { corsOrigins, proxies, allowedHosts } = read([])
    expect([corsOrigins, proxies, allowedHosts]).toEqual([[], [], []])
  })

  test('that names modules has one at least', () => {
    const modules = (CONNECTORS: string) => read([], { ...production, CONNECTORS }).connectors
    expect([modules('a, b'), modules('')]).toEqual([['a', 'b'], []])
    expect(() => modules(' , ')).toThrow('--connectors (CONNECTORS) must be modules')
  })

  test('that is a date is one of those at the ends, too', () => {
    for (const FIXTURE_DATE of ['1990-01-01', '2999-12-31']) {
      expect(read([], { FIXTURE_DATE }).fixtureDate).toBe(FIXTURE_DATE)
    }
    for (const FIXTURE_DATE of ['1989-12-31', '3000-01-01']) {
      expect(() => read([], { FIXTURE_DATE })).toThrow('must be from 1990-01-01 to 2999-12-31')
    }
    for (const FIXTURE_DATE of ['2026-03', '+002026-03-16', '2026-03-16T00:00:00Z']) {
      expect(() => read([], { FIXTURE_DATE })).toThrow('must be a date, YYYY-MM-DD')
    }
  })

  test('gives proxies by address and network', () => {
    const given = { TRUST_PROXY: '127.0.0.1, 10.0.0.0/8,fd00::/8' }
    expect(read([], given).proxies).toEqual(['127.0.0.1', '10.0.0.0/8', 'fd00::/8'])
  })

  test('gives hosts as they are compared', () => {
    const given = { ALLOWED_HOSTS: 'API.example.com, *.apps.example.com,fds' }
    const hosts = ['api.example.com', '*.apps.example.com', 'fds']
    expect(read([], given).allowedHosts).toEqual(hosts)
  })

  test('of an address may have a path', () => {
    const given = { PUBLIC_URL: 'https://example.com/finance/' }
    expect(read([], given).publicUrl).toBe('https://example.com/finance')
  })
})

const originsMessage =
  'CORS_ORIGIN must be origins with commas between them, such as https://app.example.com'
const proxiesMessage =
  'TRUST_PROXY must be addresses and networks with commas between them, such as 10.0.0.5 or 10.0.0.0/8'
const hostsMessage =
  'ALLOWED_HOSTS must be hosts with commas between them, such as api.example.com or *.example.com'

describe('a start is rejected in one line that names', () => {
  test.each<[string, string[], Record<string, string>]>([
    ["Unknown option '--prot'; did you mean --port?", ['--prot', '1'], {}],
    ["Unknown option '--mem'; did you mean --memory?", ['--mem'], {}],
    ["Unexpected argument 'extra'", ['extra'], {}],
    ["Option '--port <value>' argument missing", ['--port'], {}],
    ["Option '--port' argument is ambiguous", ['--port', '-1'], {}],
    ["Option '--memory' does not take an argument", ['--memory=yes'], {}],
    ['--port (PORT) must be a whole number from 0 to 65535', ['--port', '65536'], {}],
    ['--port (PORT) must be a whole number from 0 to 65535', [], { PORT: '1e3' }],
    ['--data (DATA_DIR) must not be empty', ['--data', ''], {}],
    ['--host (HOST) must not be empty', ['--host='], {}],
    ['--memory (MEMORY) must be true or false', [], { MEMORY: 'maybe' }],
    ['--memory and --data cannot be used together', ['--memory'], { DATA_DIR: 'data' }],
    ['SERVICE_ENV must be one of: sandbox, production', [], { SERVICE_ENV: 'prod' }],
    ['RATE_LIMITS must be one of: off, sandbox, production', [], { RATE_LIMITS: 'on' }],
    ['REPORT_DELAY_MS must be a whole number from 0 to 3600000', [], { REPORT_DELAY_MS: '1.5' }],
    [
      'REQUEST_LOG_CALLS must be a whole number from 500 to 10000000',
      [],
      { REQUEST_LOG_CALLS: '499' },
    ],
    ['REQUEST_LOG_DAYS must be a whole number from 1 to 365', [], { REQUEST_LOG_DAYS: '0' }],
    ['REQUEST_LOG_DAYS must be a whole number from 1 to 365', [], { REQUEST_LOG_DAYS: '366' }],
    [originsMessage, [], { CORS_ORIGIN: '*' }],
    [originsMessage, [], { CORS_ORIGIN: 'https://app.example.com/page' }],
    [originsMessage, [], { CORS_ORIGIN: 'https://app.example.com,' }],
    [
      'WEBHOOK_PRIVATE_TARGETS must be one of: names, allow',
      [],
      { WEBHOOK_PRIVATE_TARGETS: 'yes' },
    ],
    [
      'WEBHOOK_PRIVATE_TARGETS is an option of the sandbox: production sends to public addresses',
      [],
      { ...production, WEBHOOK_PRIVATE_TARGETS: 'allow' },
    ],
    [
      '--institutions (INSTITUTIONS) is an option of production: the institutions of a sandbox are seed data (--fixture)',
      ['--institutions', 'institutions.yaml'],
      {},
    ],
    [
      '--connectors (CONNECTORS) is an option of production: users of a sandbox connect to invented institutions',
      ['--connectors', './bank.js'],
      {},
    ],
    [proxiesMessage, [], { TRUST_PROXY: '1' }],
    [proxiesMessage, [], { TRUST_PROXY: 'proxy' }],
    [proxiesMessage, [], { TRUST_PROXY: '10.0.0.0/33' }],
    [proxiesMessage, [], { TRUST_PROXY: '10.0.0.1, ' }],
    [proxiesMessage, [], { TRUST_PROXY: '0.0.0.0/0' }],
    [hostsMessage, [], { ALLOWED_HOSTS: '*' }],
    [hostsMessage, [], { ALLOWED_HOSTS: 'api.example.com:443' }],
    [hostsMessage, [], { ALLOWED_HOSTS: 'a.example.com,,b.example.com' }],
    [hostsMessage, [], { ALLOWED_HOSTS: 'api.*.example.com' }],
    ['PUBLIC_URL must be an http or https address', [], { PUBLIC_URL: 'ftp://example.com' }],
    ['PUBLIC_URL must end with its host or a path', [], { PUBLIC_URL: 'https://example.com?a=1' }],
    ['FIXTURE_DATE must be a date, YYYY-MM-DD', [], { FIXTURE_DATE: '2026-02-30' }],
    ['FIXTURE_DATE must be from 1990-01-01 to 2999-12-31', [], { FIXTURE_DATE: '0001-01-01' }],
    [
      'ENCRYPTION_KEY is required when SERVICE_ENV is production',
      [],
      { ...production, ENCRYPTION_KEY: '' },
    ],
  ])('%s', (message, args, environment) => {
    expect(() => readConfig(args, environment)).toThrow(new Error(message))
  })
})

test('the README lists every option of the service, as --help does', () => {
  expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain(optionTable())
})
