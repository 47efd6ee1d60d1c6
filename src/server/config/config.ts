import { type FlagOptions, readArguments } from '../../arguments.ts'
import { serversOf } from '../db/servers.ts'
import type { IdentityGateway } from '../kernel/context.ts'
import { type KeptCalls, usualKeptCalls } from '../kernel/kept-calls.ts'
import { readIdentityGateway } from './identity-gateway.ts'
import { type ProviderConfig, readProvider } from './identity-provider.ts'
import {
  hostsForm,
  originsForm,
  proxiesForm,
  readHosts,
  readOrigins,
  readProxies,
} from './option-lists.ts'
import { options } from './options.ts'
import {
  ConfigError,
  fail,
  isAddress,
  isBase,
  nameOf,
  namesIn,
  oneOf,
  type Read,
  readDate,
  readList,
  readNumber,
  readSwitch,
  readUrl,
  withoutSlash,
} from './read-option.ts'

/** Which limits of the contract apply. */
export type RateLimitsMode = 'off' | 'sandbox' | 'production'

/** How the service is to run. */
export interface Config {
  port: number
  host: string
  environment: 'sandbox' | 'production'
  /** The folder of the embedded store, or undefined for one in memory. */
  data: string | undefined
  /** The address of a server's database, in place of the embedded store. */
  databaseUrl: string | undefined
  fixture: string | undefined
  seed: string | undefined
  /** The file of the institutions that production lists. */
  institutions: string | undefined
  /** The modules whose connectors production loads. */
  connectors: readonly string[]
  /** The file of the categories that bookings get by their words. */
  categories: string | undefined
  /** The day from which relative dates of seed data count. */
  fixtureDate: string | undefined
  /** Whether the start accepts a clock that does not fit the data. */
  acceptClock: boolean
  publicUrl: string | undefined
  encryptionKey: string | undefined
  /** The previous keys, separated by commas. */
  previousKeys: string | undefined
  rateLimits: RateLimitsMode
  reportDelayMs: number
  /** What the list of calls keeps. */
  keptCalls: KeptCalls
  /** How long the service still answers after SIGTERM while `/readyz` reports that it is not ready. */
  shutdownDelayMs: number
  logLevel: string
  /** Where metrics are served; undefined where they are not. */
  metrics: { host: string; port: number } | undefined
  /** Whether an address for traces is set; the SDK reads what it is. */
  traces: boolean
  /** The origins that browsers may call from, besides those that always may. */
  corsOrigins: readonly string[]
  /** Whether the docs are served here, or where else they are. */
  docs: 'on' | 'off' | string
  /** The hosts that a request may name, besides those that it always may. */
  allowedHosts: readonly string[]
  /** The proxies whose X-Forwarded-For is trusted, by their addresses and networks. */
  proxies: readonly string[]
  /** Whether webhooks of the sandbox go to private addresses by certain names only, or always. */
  privateTargets: 'names' | 'allow'
  /** Where users of the dashboard can sign in, too. */
  provider: ProviderConfig | undefined
  /** Who does identity checks in production. */
  identityGateway: IdentityGateway | undefined
}

type Values = Readonly<Record<string, string | undefined>>

/** Reads flags and environment. Unknown, malformed and contradictory values are errors. */
export function readConfig(args: readonly string[], environment: Values): Config | 'help' {
  const flags = readFlags(args)
  if (flags === 'help') return 'help'
  const read = (variable: string): string | undefined =>
    flags[variable] ?? (environment[variable] || undefined)
  rejectContradictions(read)
  const mode = oneOf(read, 'SERVICE_ENV', ['sandbox', 'production'], 'sandbox')
  const memory = readSwitch(read, 'MEMORY')
  if (memory && read('DATA_DIR')) fail('--memory and --data cannot be used together')
  if (mode === 'production' && !read('ENCRYPTION_KEY')) {
    fail('ENCRYPTION_KEY is required when SERVICE_ENV is production')
  }
  if (mode === 'production' && read('WEBHOOK_PRIVATE_TARGETS')) {
    fail(
      'WEBHOOK_PRIVATE_TARGETS is an option of the sandbox: production sends to public addresses',
    )
  }
  if (mode === 'sandbox' && read('INSTITUTIONS')) {
    fail(
      '--institutions (INSTITUTIONS) is an option of production: the institutions of a sandbox are seed data (--fixture)',
    )
  }
  if (mode === 'sandbox' && read('CONNECTORS')) {
    fail(
      '--connectors (CONNECTORS) is an option of production: users of a sandbox connect to invented institutions',
    )
  }
  const databaseUrl = readDatabaseUrl(read)
  return {
    port: readNumber(read, 'PORT', 4000, 65_535),
    host: read('HOST') ?? '127.0.0.1',
    environment: mode,
    data: memory || databaseUrl ? undefined : (read('DATA_DIR') ?? 'data'),
    databaseUrl,
    fixture: read('FIXTURE'),
    seed: read('SEED'),
    institutions: read('INSTITUTIONS'),
    connectors: readModules(read),
    categories: read('CATEGORIES'),
    fixtureDate: readDate(read, 'FIXTURE_DATE'),
    acceptClock: readSwitch(read, 'ACCEPT_CLOCK'),
    publicUrl: readUrl(read, 'PUBLIC_URL'),
    encryptionKey: read('ENCRYPTION_KEY'),
    previousKeys: readPreviousKeys(read),
    rateLimits: oneOf(read, 'RATE_LIMITS', rateLimits, mode === 'production' ? mode : 'off'),
    reportDelayMs: readNumber(read, 'REPORT_DELAY_MS', 1000, 3_600_000),
    keptCalls: readKeptCalls(read),
    shutdownDelayMs: readNumber(read, 'SHUTDOWN_DELAY_MS', 0, 300_000),
    logLevel: oneOf(read, 'LOG_LEVEL', logLevels, mode === 'production' ? 'info' : 'warn'),
    metrics: readMetrics(read),
    traces: readTraces(read),
    docs: readDocs(read, mode),
    corsOrigins: readList(read, 'CORS_ORIGIN', readOrigins, originsForm),
    allowedHosts: readList(read, 'ALLOWED_HOSTS', readHosts, hostsForm),
    proxies: readList(read, 'TRUST_PROXY', readProxies, proxiesForm),
    privateTargets: oneOf(read, 'WEBHOOK_PRIVATE_TARGETS', ['names', 'allow'], 'names'),
    provider: readProvider(read),
    identityGateway: readIdentityGateway(read, mode),
  }
}

/** The sandbox API lists 500 calls, so at least as many are stored. */
const fewestCalls = 500
const mostCalls = 10_000_000
const mostDays = 365

function readKeptCalls(read: Read): KeptCalls {
  const { count, days } = usualKeptCalls
  return {
    count: readNumber(read, 'REQUEST_LOG_CALLS', count, mostCalls, fewestCalls),
    days: readNumber(read, 'REQUEST_LOG_DAYS', days, mostDays, 1),
  }
}

const rateLimits = ['off', 'sandbox', 'production'] as const
const logLevels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const

/** The flags by the names of their variables. */
function readFlags(args: readonly string[]): Values | 'help' {
  const known = options.flatMap((option) => (option.flag ? [{ ...option, flag: option.flag }] : []))
  const spec = known.map(({ flag, value }): [string, FlagOptions[string]] => [
    flag,
    { type: value ? 'string' : 'boolean' },
  ])
  const parsed = readArguments(
    {
      args: [...args],
      options: { ...Object.fromEntries(spec), help: { type: 'boolean', short: 'h' } },
    },
    (message) => new ConfigError(message),
  )
  const values = parsed.values as Record<string, string | boolean | undefined>
  if (values['help']) return 'help'
  const given = known.flatMap(({ flag, variable }) => {
    const value = values[flag]
    if (value === '') fail(`${nameOf(variable)} must not be empty`)
    return value === undefined ? [] : [[variable, String(value)]]
  })
  return Object.fromEntries(given)
}

function rejectContradictions(read: Read): void {
  if (!read('DATABASE_URL')) return
  for (const [variable, flag] of [
    ['MEMORY', '--memory'],
    ['DATA_DIR', '--data'],
  ] as const) {
    if (read(variable)) fail(`${flag} (${variable}) and DATABASE_URL cannot be used together`)
  }
  if (!read('ENCRYPTION_KEY')) {
    fail('ENCRYPTION_KEY is required with DATABASE_URL: all processes on one database share it')
  }
}

function readMetrics(read: Read): Config['metrics'] {
  if (read('METRICS_PORT') === undefined) return undefined
  return {
    host: read('METRICS_HOST') ?? '127.0.0.1',
    port: readNumber(read, 'METRICS_PORT', 0, 65_535),
  }
}

function readDocs(read: Read, mode: Config['environment']): string {
  const value = read('DOCS') ?? (mode === 'production' ? 'off' : 'on')
  if (value === 'on' || value === 'off') return value
  if (isAddress(value) && isBase(value)) return withoutSlash(value)
  return fail('DOCS must be on, off, or the http or https address where the docs are published')
}

/** Checks the address here, since the SDK ignores a wrong one and sends nothing. */
function readTraces(read: Read): boolean {
  const addresses = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']
  const isOff = read('OTEL_SDK_DISABLED') === 'true' || read('OTEL_TRACES_EXPORTER') === 'none'
  if (isOff) return false
  for (const variable of addresses) readUrl(read, variable)
  return addresses.some((variable) => read(variable) !== undefined)
}

function readPreviousKeys(read: Read): string | undefined {
  const value = read('ENCRYPTION_KEY_PREVIOUS')
  if (value !== undefined && !read('ENCRYPTION_KEY')) {
    fail('ENCRYPTION_KEY is required with ENCRYPTION_KEY_PREVIOUS: the key that comes after it')
  }
  return value
}

/** The message does not repeat a wrong address, since it may hold a password. */
export function readDatabaseUrl(read: Read): string | undefined {
  const value = read('DATABASE_URL')
  if (value === undefined) return undefined
  if (!/^postgres(ql)?:\/\//.test(value) || !serversOf(value).every((one) => URL.canParse(one))) {
    fail('DATABASE_URL must be an address such as postgres://user:password@host:5432/name')
  }
  // The service writes, so it needs connections that accept writes.
  if (/[?&]target_session_attrs=(?!(any|read-write|primary)(&|$))/.test(value)) {
    fail('DATABASE_URL: target_session_attrs must be read-write or primary')
  }
  return value
}

/** The modules of connectors. Text without a name is a mistake, such as a variable that is not set. */
function readModules(read: Read): string[] {
  const text = read('CONNECTORS')
  const modules = namesIn(text ?? '')
  if (text !== undefined && modules.length === 0) {
    fail('--connectors (CONNECTORS) must be modules with commas between them')
  }
  return modules
}
