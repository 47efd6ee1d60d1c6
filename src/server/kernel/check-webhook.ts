import { isIP } from 'node:net'
import { isPublicAddress } from './allowed-target.ts'
import type { Context } from './context.ts'
import { invalidField } from './errors.ts'
import { isLoopbackHost } from './loopback.ts'

/**
 * Rejects an address that production would never send a webhook to. What a name stands for is known
 * only when a webhook is sent.
 */
export function checkWebhook(
  { settings }: Pick<Context, 'settings'>,
  webhook: string | null | undefined,
  field = 'webhook',
): void {
  if (settings.environment === 'sandbox' || webhook == null) return
  const { protocol = '', hostname = '' } = URL.parse(webhook) ?? {}
  const address = hostname.replace(/^\[(.*)\]$/, '$1')
  const isHidden = isLoopbackHost(address) || (isIP(address) !== 0 && !isPublicAddress(address))
  if (protocol === 'https:' && !isHidden) return
  throw invalidField(`\`${field}\` must be an https:// address on the public internet`)
}
