import { isLoopbackAddress } from '../kernel/loopback.ts'
import type { Headers } from '../pipeline/credentials.ts'

/** Where a request of a page came from. */
export interface Sender {
  headers: Headers
  /** The other end of the connection, whatever proxies say. */
  remoteAddress: string
  /** The address that stands for the user, behind trusted proxies too. */
  address: string
}

/**
 * Whether a page of this origin sent a request. Another port of localhost is the same site, so only
 * `same-origin` counts. A browser that sends no `Sec-Fetch-Site` must name the exact origin.
 */
export function isOwnPage({ headers }: Sender, publicUrl: string): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  const { protocol } = new URL(publicUrl)
  return headers['host'] !== undefined && headers['origin'] === `${protocol}//${headers['host']}`
}

const ownNames = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/
const forwarding = /^(forwarded|via|x-forwarded-.*|x-real-ip)$/

/** Whether the browser is on this machine, and nothing stands between it and the service. */
export const isOnThisMachine = ({ headers, remoteAddress }: Sender): boolean =>
  isLoopbackAddress(remoteAddress) &&
  ownNames.test(headers['host'] ?? '') &&
  !Object.keys(headers).some((name) => forwarding.test(name))
