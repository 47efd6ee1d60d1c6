import { isIP } from 'node:net'
import { isPublicAddress } from './allowed-target.ts'
import type { Context, Settings } from './context.ts'
import { invalidField } from './errors.ts'
import { isLoopbackHost } from './loopback.ts'

/**
 * Whether the service can send webhooks to an address. What a name stands for is known only when a
 * webhook is sent.
 */
export function isPossibleTarget(
  environment: Settings['environment'],
  webhook: string | null | undefined,
): boolean {
  if (environment === 'sandbox' || webhook == null) return true
  const { protocol = '', hostname = '' } = URL.parse(webhook) ?? {}
  const address = hostname.replace(/^\[(.*)\]$/, '$1')
  const isHidden = isLoopbackHost(address) || (isIP(address) !== 0 && !isPublicAddress(address))
  return protocol === 'https:' && !isHidden
}

/** What an address must be to which production sends webhooks. */
export const publicTarget = 'must be an https:// address on the public internet'

/** Rejects an address that production would never send a webhook to. */
export function checkWebhook(
  { settings }: Pick<Context, 'settings'>,
  webhook: string | null | undefined,
  field = 'webhook',
): void {
  if (isPossibleTarget(settings.environment, webhook)) return
  throw invalidField(`\`${field}\` ${publicTarget}`)
}
