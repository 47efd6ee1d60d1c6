import { isIP } from 'node:net'

/**
 * What stands for the other side of a connection where its requests are counted: its IPv4 address,
 * also where it is written as an IPv6 one, or its IPv6 network of 64 bits, all of which one
 * subscriber has.
 */
export function peerAddress(address = ''): string {
  if (!address.includes(':')) return address.slice(0, 64)
  const [bare = ''] = address.split('%')
  if (isIP(bare) !== 6) return address.slice(0, 64)
  const groups = groupsOf(bare)
  const isMapped = groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0)
  if (isMapped)
    return [groups[6], groups[7]].flatMap((group = 0) => [group >> 8, group & 255]).join('.')
  return groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')
}

/** The eight numbers of an IPv6 address. */
function groupsOf(address: string): number[] {
  const [first = [], last = []] = address.split('::').map((part) =>
    part
      .split(':')
      .filter(Boolean)
      .flatMap((group) => (group.includes('.') ? pairOf(group) : [Number.parseInt(group, 16)])),
  )
  const zeros = Array<number>(Math.max(0, 8 - first.length - last.length)).fill(0)
  return [...first, ...zeros, ...last]
}

/** The end of an address that is written as an IPv4 one. */
function pairOf(dotted: string): [number, number] {
  const [a = 0, b = 0, c = 0, d = 0] = dotted.split('.').map(Number)
  return [a * 256 + b, c * 256 + d]
}
