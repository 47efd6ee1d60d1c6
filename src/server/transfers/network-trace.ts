import type { TransferNetwork } from '#contract/closed.ts'

const digitsOf = (uuid: string, count: number): string =>
  String(BigInt(`0x${uuid.replaceAll('-', '')}`) % 10n ** BigInt(count)).padStart(count, '0')

/** The trace number of a payment that the network accepted on that day. */
export function toNetworkTrace(network: TransferNetwork, date: string, uuid: string): string {
  const day = date.replaceAll('-', '')
  if (network === 'wire') return `${day}TWLN0001${digitsOf(uuid, 6)}`
  if (network === 'rtp') return `${day}021000021P1TWL${digitsOf(uuid, 11)}`
  return `02100002${digitsOf(uuid, 7)}`
}
