import type { Connection } from './connection.ts'

/**
 * Returns an address for each server of `postgres://user@one:5432,two:5432/name`. Adds the driver's
 * options: each connection must accept writes, and has its own limits and settings.
 */
export function serversOf(url: string): string[] {
  const { before, hosts, path, options } = partsOf(url)
  const left = options.filter((option) => driverOptions.has(nameOf(option)))
  const rest = left.length > 0 ? `${path}?${left.join('&')}` : path
  return hosts.split(',').map((host) => before + host + rest)
}

/** The settings of the server that an address names, such as `?synchronous_commit=off`. */
export function settingsOf(url: string): Record<string, string> {
  const { options } = partsOf(url)
  const settings = options.filter((option) => {
    const name = nameOf(option)
    return !driverOptions.has(name) && !ownOptions.has(name)
  })
  return Object.fromEntries(new URLSearchParams(settings.join('&')))
}

function partsOf(url: string) {
  const [, before = '', hosts = '', path = '', query = ''] =
    /^(\w+:\/\/(?:[^/?]*@)?)([^/?]*)([^?]*)\??(.*)$/.exec(url) ?? []
  return { before, hosts, path, options: query.split('&').filter((option) => option !== '') }
}

const nameOf = (option: string): string => option.split('=', 1)[0] ?? ''

const ownOptions = new Set(['target_session_attrs', 'statement_timeout', 'client_min_messages'])

/**
 * The server accepts these only in the startup message, with `options` and the application name.
 */
const driverOptions = new Set([
  'max',
  'ssl',
  'sslmode',
  'sslrootcert',
  'sslnegotiation',
  'idle_timeout',
  'connect_timeout',
  'max_lifetime',
  'max_pipeline',
  'backoff',
  'keep_alive',
  'prepare',
  'debug',
  'fetch_types',
  'publications',
  'application_name',
  'options',
])

/**
 * Opens connections to a server that accepts writes. Tries the last successful one first, then the
 * others in their order.
 */
export function createOpening(
  servers: readonly string[],
  open: (server: string) => Promise<Connection>,
): () => Promise<Connection> {
  let latest = 0
  return async () => {
    const failures: unknown[] = []
    const places = [...servers.keys()]
    for (const place of [...places.slice(latest), ...places.slice(0, latest)]) {
      try {
        const connection = await open(servers[place] as string)
        latest = place
        return connection
      } catch (error) {
        failures.push(error)
      }
    }
    throw toOne(failures)
  }
}

/** Returns the failure, or one error that lists several failures. */
function toOne(failures: readonly unknown[]): unknown {
  const [first] = failures
  if (!(first instanceof Error) || failures.length === 1) return first
  const messages = failures.map((failure) => (failure as Error).message)
  first.message = [...new Set(messages)].join('; ')
  return first
}
