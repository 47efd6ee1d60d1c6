import type { Lane } from './lane.ts'

/**
 * An address for each server of `postgres://user@one:5432,two:5432/name`, without the options that are
 * not left to the driver: every connection must be one that writes, and has limits of its own.
 */
export function serversOf(url: string): string[] {
  const [, before = '', hosts = '', path = '', query = ''] =
    /^(\w+:\/\/(?:[^/?]*@)?)([^/?]*)([^?]*)\??(.*)$/.exec(url) ?? []
  const options = query.split('&').filter((option) => option !== '' && !ownOptions.test(option))
  const rest = options.length > 0 ? `${path}?${options.join('&')}` : path
  return hosts.split(',').map((host) => before + host + rest)
}

const ownOptions = /^(target_session_attrs|statement_timeout|client_min_messages)=/

/**
 * Opens connections to whichever server lets us write: first to the one that did so last, then to
 * the others in their order.
 */
export function createOpening(
  servers: readonly string[],
  open: (server: string) => Promise<Lane>,
): () => Promise<Lane> {
  let latest = 0
  return async () => {
    const failures: unknown[] = []
    const places = [...servers.keys()]
    for (const place of [...places.slice(latest), ...places.slice(0, latest)]) {
      try {
        const lane = await open(servers[place] as string)
        latest = place
        return lane
      } catch (error) {
        failures.push(error)
      }
    }
    throw toOne(failures)
  }
}

/** The failure, or of several one that tells all. */
function toOne(failures: readonly unknown[]): unknown {
  const [first] = failures
  if (!(first instanceof Error) || failures.length === 1) return first
  const messages = failures.map((failure) => (failure as Error).message)
  first.message = [...new Set(messages)].join('; ')
  return first
}
