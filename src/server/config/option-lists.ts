import { isIP } from 'node:net'

// Options whose values are lists with commas. Each function returns undefined for a malformed list.

const entriesOf = (text: string): string[] => text.split(',').map((entry) => entry.trim())

/** Every entry as `read` returns it, without repetitions. */
function readEach(
  text: string,
  read: (entry: string) => string | undefined,
): readonly string[] | undefined {
  const entries = entriesOf(text).map(read)
  const known = entries.filter((entry) => entry !== undefined)
  return known.length === entries.length ? [...new Set(known)] : undefined
}

/** Origins as browsers send them; with anything more an origin would never be met. */
export const readOrigins = (text: string) => readEach(text, toOrigin)

function toOrigin(entry: string): string | undefined {
  if (!/^https?:\/\/[^/\s?#@]+\/?$/.test(entry) || !URL.canParse(entry)) return undefined
  return new URL(entry).origin
}

/** Hosts without a port; `*.example.com` stands for every name below `example.com`. */
export const readHosts = (text: string) => readEach(text, toHost)

function toHost(entry: string): string | undefined {
  const host = entry.toLowerCase()
  return /^(\*\.)?[a-z\d_-]+(\.[a-z\d_-]+)*$/.test(host) ? host : undefined
}

export const originsForm = 'origins with commas between them, such as https://app.example.com'
export const hostsForm = 'hosts with commas between them, such as api.example.com or *.example.com'

/** Addresses and networks of proxies. */
export const readProxies = (text: string) => readEach(text, toNetwork)

function toNetwork(entry: string): string | undefined {
  const [, address = '', bits] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(entry) ?? []
  const family = isIP(address)
  if (family === 0) return undefined
  const isNarrow =
    bits === undefined || (Number(bits) > 0 && Number(bits) <= (family === 4 ? 32 : 128))
  return isNarrow ? entry : undefined
}

export const proxiesForm =
  'addresses and networks with commas between them, such as 10.0.0.5 or 10.0.0.0/8'
