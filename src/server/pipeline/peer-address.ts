import { isIP } from 'node:net'

/**
 * The peer address that identifies a sender for counts. An IPv4 address stays whole, also if it is
 * mapped into IPv6. An IPv6 address is reduced to its 64-bit network, since one subscriber has all
 * of it.
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

/** The eight groups of an IPv6 address. The URL parser normalizes its notation. */
function groupsOf(address: string): string[] {
  const { hostname } = new URL(`http://[${address}]`)
  const [first = [], last = []] = hostname
    .slice(1, -1)
    .split('::')
    .map((part) => part.split(':').filter(Boolean))
  return [...first, ...Array<string>(8 - first.length - last.length).fill('0'), ...last]
}
