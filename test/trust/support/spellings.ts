import type { Random } from './random.ts'

/** A block of addresses that no webhook may go to in production, and what it is for. */
interface Block {
  name: string
  family: 4 | 6
  network: string
  prefix: number
}

const block = (name: string, network: string, prefix: number): Block => ({
  name,
  family: network.includes(':') ? 6 : 4,
  network,
  prefix,
})

/** Written down apart from the service, from the registries of special addresses. */
export const blocks: readonly Block[] = [
  block('this network', '0.0.0.0', 8),
  block('private, ten', '10.0.0.0', 8),
  block('shared by carriers', '100.64.0.0', 10),
  block('loopback', '127.0.0.0', 8),
  block('link-local', '169.254.0.0', 16),
  block('private, 172', '172.16.0.0', 12),
  block('protocol assignments', '192.0.0.0', 24),
  block('documentation 1', '192.0.2.0', 24),
  block('private, 192', '192.168.0.0', 16),
  block('benchmarks', '198.18.0.0', 15),
  block('documentation 2', '198.51.100.0', 24),
  block('documentation 3', '203.0.113.0', 24),
  block('multicast', '224.0.0.0', 4),
  block('reserved and broadcast', '240.0.0.0', 4),
  block('unspecified and loopback', '::', 127),
  block('IPv4-compatible', '::', 96),
  block('IPv4-mapped', '::ffff:0:0', 96),
  block('IPv4-translated', '::ffff:0:0:0', 96),
  block('NAT64', '64:ff9b::', 96),
  block('NAT64, local', '64:ff9b:1::', 48),
  block('discard only', '100::', 64),
  block('Teredo', '2001::', 32),
  block('ORCHID', '2001:20::', 28),
  block('documentation 4', '2001:db8::', 32),
  block('6to4', '2002::', 16),
  block('documentation 5', '3fff::', 20),
  block('segment routing', '5f00::', 16),
  block('unique local', 'fc00::', 7),
  block('link-local 6', 'fe80::', 10),
  block('site-local', 'fec0::', 10),
  block('multicast 6', 'ff00::', 8),
]

/** An address of a block: its first, its last, or any, as a number. */
export function drawAddress({ network, prefix, family }: Block, random: Random): bigint {
  const bits = family === 4 ? 32n : 128n
  const free = bits - BigInt(prefix)
  const first = toNumber(network)
  const choice = random.next()
  if (choice < 0.15) return first
  const rest = (1n << free) - 1n
  if (choice < 0.3) return first + rest
  let drawn = 0n
  for (let index = 0; index < 4; index += 1) {
    drawn = (drawn << 32n) | BigInt(random.between(0, 0xffffffff))
  }
  return first + (drawn & rest)
}

/** The number of an address in its usual form. */
function toNumber(address: string): bigint {
  if (!address.includes(':')) {
    return address.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n)
  }
  const [head = '', tail = ''] = address.split('::')
  const groups = (text: string) => text.split(':').filter(Boolean)
  const [left, right] = [groups(head), groups(tail)]
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0')
  const all = address.includes('::') ? [...left, ...zeros, ...right] : left
  return all.reduce((sum, group) => (sum << 16n) | BigInt(`0x${group}`), 0n)
}

const bytesOf = (address: bigint): number[] =>
  [24n, 16n, 8n, 0n].map((shift) => Number((address >> shift) & 255n))

export const toDotted = (address: bigint): string => bytesOf(address).join('.')

export const toGroups = (address: bigint): string =>
  Array.from({ length: 8 }, (_, index) =>
    ((address >> BigInt(16 * (7 - index))) & 0xffffn).toString(16),
  ).join(':')

type Spell = (address: bigint) => string

const fullWidth = (text: string): string =>
  text.replaceAll(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit)))

/** Ways to write one IPv4 address that a URL takes. */
const spellings4: readonly Spell[] = [
  toDotted,
  (address) => address.toString(),
  (address) => `0x${address.toString(16)}`,
  (address) => `0${address.toString(8)}`,
  (address) =>
    bytesOf(address)
      .map((byte) => `0x${byte.toString(16)}`)
      .join('.'),
  (address) =>
    bytesOf(address)
      .map((byte) => `000${byte.toString(8)}`)
      .join('.'),
  (address) => `${address >> 24n}.${address & 0xffffffn}`,
  (address) => `${address >> 24n}.${(address >> 16n) & 255n}.0x${(address & 0xffffn).toString(16)}`,
  (address) => `${toDotted(address)}.`,
  (address) => fullWidth(toDotted(address)),
  (address) => toDotted(address).replaceAll('.', '\u3002'),
  (address) => toDotted(address).replaceAll(/\d/g, (digit) => `%3${digit}`),
  (address) => `[::ffff:${toDotted(address)}]`,
  (address) => `[::${toDotted(address)}]`,
  (address) => `[64:ff9b::${toDotted(address)}]`,
  (address) => `[${toGroups((0x2002n << 112n) | (address << 80n))}]`,
  (address) => `[${toGroups((0x20010000n << 96n) | (~address & 0xffffffffn))}]`,
]

const spellings6: readonly Spell[] = [
  (address) => `[${toGroups(address)}]`,
  (address) => `[${toGroups(address).toUpperCase()}]`,
  (address) =>
    `[${toGroups(address).replaceAll(/\b[\da-f]{1,4}\b/g, (group) => group.padStart(4, '0'))}]`,
  (address) => `[${toGroups(address).replace(/(^|:)0(:0)+(:|$)/, '::')}]`,
]

/** What stands before a host, or after it, to make it look like another one. */
const disguises: readonly ((host: string) => string)[] = [
  (host) => host,
  (host) => `lender.example.com@${host}`,
  (host) => `lender.example.com%3A443@${host}`,
  (host) => `lender.example.com:443@${host}`,
  (host) => `\t${host}`,
  (host) => `${host.slice(0, 1)}\r\n${host.slice(1)}`,
]

/** The authorities of URLs that all mean an address. */
export function spell(address: bigint, family: 4 | 6): string[] {
  const hosts = (family === 4 ? spellings4 : spellings6).map((write) => write(address))
  return hosts.flatMap((host) => disguises.map((disguise) => disguise(host)))
}
