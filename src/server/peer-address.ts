/**
 * What stands for the other side of a connection where its requests are counted. Who has an address of
 * IPv6 has the whole network of 64 bits that it is in.
 */
export function peerAddress(address = ''): string {
  if (!address.includes(':') || address.includes('.')) return address
  const [head = '', tail] = address.split('::')
  const first = head.split(':').filter(Boolean)
  if (tail === undefined) return first.slice(0, 4).join(':')
  const last = tail.split(':').filter(Boolean)
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0')
  return [...first, ...zeros, ...last].slice(0, 4).join(':')
}
