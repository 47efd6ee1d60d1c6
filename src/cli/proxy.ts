import type { AddressInfo } from 'node:net'
import { currentVersion, type Version, versions } from '../../generated/versions.ts'
import { escapeControls } from '../control-characters.ts'
import type { Told } from '../proxy/proxy.ts'
import { type Command, type ExitCode, program } from './command.ts'
import { readOptions } from './options.ts'
import { readBase } from './read-secret.ts'
import { tellError } from './tell-error.ts'
import { toJson } from './to-json.ts'
import { UsageError } from './usage-error.ts'

const help = `usage: ${program} proxy --upstream URL [options]

Passes requests on to a service of this interface, and holds both bodies against the contract. Nothing is
changed. What breaks the contract is in the log, in the headers Contract-Check and Contract-Finding of the
answer, and in the server-sent events at /.contract/events. No value of a body or a header is told.

  --upstream URL     pass requests on to the service at this URL (required)
  --port PORT        listen on this port, 0 for a free one (4020)
  --host HOST        bind this address (127.0.0.1)
  --enforce          answer 502 in place of an answer that breaks the contract (off)
  --strict           also find fields, values and codes that a newer service may add (off)
  --version DATE     take this dated version for requests without the header Service-Version (${currentVersion})
  --most-bytes N     check bodies of at most this many bytes, unpacked; larger ones pass unchecked (4194304)
  --json             log one JSON object for each answer with findings (off: lines)
  --help             print this

exit code: 0 ended by a signal, 1 not started, 2 wrong usage

examples:
  ${program} proxy --upstream http://127.0.0.1:4000
  curl -N http://127.0.0.1:4020/.contract/events`

const options = {
  upstream: { type: 'string' },
  port: { type: 'string', default: '4020' },
  host: { type: 'string', default: '127.0.0.1' },
  enforce: { type: 'boolean', default: false },
  strict: { type: 'boolean', default: false },
  version: { type: 'string', default: currentVersion },
  'most-bytes': { type: 'string', default: '4194304' },
  json: { type: 'boolean', default: false },
} as const

/** Holds what passes between a client and a service against the contract. */
export const proxy: Command = { help, run }

const timeout = 120_000

async function run(args: string[]): Promise<ExitCode> {
  const { values, positionals } = readOptions(args, options)
  if (positionals.length > 0) throw new UsageError(`${positionals[0]} is one argument too many`)
  const upstream = readBase('--upstream', values.upstream)
  const { version, host } = values
  if (!Object.hasOwn(versions, version)) {
    throw new UsageError(`--version must be one of: ${Object.keys(versions).join(', ')}`)
  }
  const port = readNumber('port', values.port, 65_535)
  const mostBytes = readNumber('most-bytes', values['most-bytes'], 2 ** 30)
  const { createProxy } = await import('../proxy/proxy.ts')
  const { createHostRule } = await import('../server/http/host-rule.ts')
  const { createContractIndex } = await import('../proxy/contract-index.ts')
  const isOurs = createHostRule([], () => `http://${nameOf(host)}`)
  // A log that nobody reads any more does not end the proxy.
  process.stdout.on('error', () => {})
  const server = createProxy({
    ...{ upstream: new URL(upstream), enforce: values.enforce, mostBytes, timeout },
    version: version as Version,
    index: await createContractIndex(values.strict),
    isHost: (given) => !isLoopback(host) || isOurs(given ?? ''),
    log: (told) => console.log(values.json ? toJson(told) : toLines(told)),
    onFailure: tellError,
  })
  try {
    await listen(server, port, host)
  } catch (error) {
    tellError(`${(error as Error).message}: choose another address with --host and --port`)
    return 1
  }
  const bound = server.address() as AddressInfo
  console.log(
    `listens on http://${nameOf(host)}:${bound.port} and passes requests on to ${escapeControls(upstream)}`,
  )
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      server.close()
      server.closeIdleConnections()
    })
  }
  return 0
}

const listen = (server: import('node:http').Server, port: number, host: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })

function readNumber(flag: string, text: string, most: number): number {
  if (/^\d+$/.test(text) && Number(text) <= most) return Number(text)
  throw new UsageError(`--${flag} must be a whole number from 0 to ${most}`)
}

const nameOf = (host: string): string => (host.includes(':') ? `[${host}]` : host)

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)

const toLines = ({ at, operation, version, status, request_id, findings }: Told): string =>
  findings
    .map(({ part, field, message }) => {
      const where = `${at} ${operation} ${version} ${status} ${request_id ?? '-'}`
      return escapeControls(`${where} ${part}: ${field || 'the body'} ${message}`)
    })
    .join('\n')
