import { isIP, type LookupFunction } from 'node:net'
import { isAllowedTarget, type WebhookTargets } from './allowed-target.ts'

/** An address that the service must not call. */
export class ForbiddenTarget extends Error {}

/** Throws for a numeric address that is not allowed. It needs no DNS lookup, and URL has normalized it. */
export function rejectAddress({ hostname }: URL, targets: WebhookTargets): void {
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  if (isIP(host) !== 0 && !isAllowedTarget(targets, host, host)) throw notAllowed(targets)
}

const notAllowed = (targets: WebhookTargets) =>
  new ForbiddenTarget(targets === 'public' ? 'the address is not public' : 'the address is private')

/** Returns only allowed addresses. The request connects to one of these. */
export const checkedLookup =
  (lookup: LookupFunction, targets: WebhookTargets): LookupFunction =>
  (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, '')
      const all = Array.isArray(found) ? found : []
      const allowed = all.filter(({ address }) => isAllowedTarget(targets, host, address))
      const [first] = allowed
      if (!first) return callback(notAllowed(targets), '')
      if (options.all) return callback(null, allowed)
      callback(null, first.address, first.family)
    })
  }
