import { WebhookVerificationError } from './error.ts'
import type { UsableKey } from './keys.ts'

/** Throws if a key had expired when it signed. */
export function checkKeyTime(iat: number, { expired_at }: Pick<UsableKey, 'expired_at'>): void {
  if (expired_at !== null && expired_at <= iat) throw new WebhookVerificationError('expired_key')
}

interface AgeLimits {
  maxAge?: number | undefined
  tolerance?: number | undefined
}

/** Throws unless a signature is recent. `now` is in ms. */
export function checkAge(
  iat: number,
  now: number,
  { maxAge = 300, tolerance = 30 }: AgeLimits = {},
): void {
  const age = now / 1000 - iat
  // Asked this way round, an option that is no number refuses everything.
  if (!(age <= maxAge)) throw new WebhookVerificationError('stale')
  if (!(age >= -tolerance)) throw new WebhookVerificationError('future')
}
