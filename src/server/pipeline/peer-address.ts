import { isIP } from 'node:net'

/**
 * The peer of a connection, as its requests are counted: its IPv4 address, also where it is written
 * as an IPv6 one, or its IPv6 network of 64 bits, all of which one subscriber has.
 */
export function peerAddress(address = ''): string {
  const [bare = ''] = address.split('%')
  if (isIP(bare) !== 6) return address.slice(0, 64)
  const groups = groupsOf(bare)
  if (groups.slice(0, 6).join(':') !== '0:0:0:0:0:ffff') return groups.slice(0, 4).join(':')
  const bytes = Buffer.from(
    groups
      .slice(6)
      .map((group) => group.padStart(4, '0'))
      .join(''),
    'hex',
  )
  return bytes.join('.')
}

/** The eight groups of an IPv6 address; the parser of URLs writes each in one form. */
function groupsOf(address: string): string[] {
  const { hostname } = new URL(`http://[${address}]`)
  const [first = [], last = []] = hostname
    .slice(1, -1)
    .split('::')
    .map((part) => part.split(':').filter(Boolean))
  return [...first, ...Array<string>(8 - first.length - last.length).fill('0'), ...last]
}
