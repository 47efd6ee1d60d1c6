import { BlockList, isIP } from 'node:net'
import { isLoopbackAddress } from './loopback.ts'

// https://www.iana.org/assignments/iana-ipv4-special-registry
const notPublic4: [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]

// Non-public ranges within 2000::/3: Teredo and related protocols, 6to4, which embeds any IPv4
// address, and documentation.
const notPublic6: [string, number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]

const listOf = (subnets: [string, number][], family: 'ipv4' | 'ipv6'): BlockList => {
  const list = new BlockList()
  for (const [network, prefix] of subnets) list.addSubnet(network, prefix, family)
  return list
}

const blocked4 = listOf(notPublic4, 'ipv4')
const blocked6 = listOf(notPublic6, 'ipv6')
const public6 = listOf([['2000::', 3]], 'ipv6')

/** Whether an IP address is globally reachable. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !blocked4.check(address, 'ipv4')
  // Mapped and translated IPv4 addresses, loopback, local and multicast ones are outside that
  // range.
  return family === 6 && public6.check(address, 'ipv6') && !blocked6.check(address, 'ipv6')
}

// Metadata services of clouds, which give virtual machines credentials and settings.
const metadataBlocks4: [string, number][] = [
  ['169.254.0.0', 16],
  ['100.100.100.200', 32],
  ['168.63.129.16', 32],
  ['192.0.0.192', 32],
]
const metadata4 = listOf(metadataBlocks4, 'ipv4')
const metadata6 = listOf(
  [
    ['fd00:42::42', 128],
    ['fd00:a9fe:a9fe::', 48],
    ['fd00:c1::', 32],
    ['fd00:ec2::', 32],
    ['fd20:ce::', 64],
    ['fe80::a9fe:a9fe', 128],
    // The ranges above in NAT64 notation.
    ...metadataBlocks4.map(([network, prefix]): [string, number] => [
      `64:ff9b::${network}`,
      96 + prefix,
    ]),
  ],
  'ipv6',
)

/**
 * Allowed addresses of webhooks: public ones, those of a sandbox, or all except metadata services.
 */
export type WebhookTargets = 'public' | 'sandbox' | 'any'

/**
 * Whether a webhook to `host`, a name or an address, may go to `address`, to which it resolves. In
 * a sandbox, private addresses need a host name that public DNS does not have, such as that of a
 * container. Otherwise a client of a sandbox could explore its network.
 */
export function isAllowedTarget(targets: WebhookTargets, host: string, address: string): boolean {
  if (isMetadata(address)) return false
  if (targets === 'any') return true
  if (targets === 'public') return isPublicAddress(address)
  return isPublicAddress(address) || isLoopbackAddress(address) || isPrivateName(host)
}

const isMetadata = (address: string): boolean =>
  isIP(address) === 4 ? metadata4.check(address, 'ipv4') : isMetadata6(address)

// A BlockList of IPv4 addresses also matches them inside IPv6 addresses.
const isMetadata6 = (address: string): boolean =>
  metadata6.check(address, 'ipv6') || metadata4.check(address, 'ipv6')

const isPrivateName = (host: string): boolean =>
  isIP(host) === 0 && (!host.includes('.') || host.endsWith('.internal'))
