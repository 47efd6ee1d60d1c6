import type { WebhookVerificationKey } from '#contract/types.ts'
import { WebhookVerificationError } from './error.ts'

/** What is needed of a key: all of {@link WebhookVerificationKey} fits. */
export type PublicKey = Pick<WebhookVerificationKey, 'kid' | 'x' | 'y'> &
  Partial<WebhookVerificationKey>

/** Where keys are fetched: every client of this package is one. */
export interface KeySource {
  webhookVerificationKeyGet(
    body: { key_id: string },
    options?: { signal?: AbortSignal },
  ): PromiseLike<{
    data?: { key: PublicKey } | undefined
    error?: { error_code?: string | undefined } | undefined
    /** Its header `Current-Key-Id` keeps forged key ids from shutting genuine webhooks out. */
    response?: { headers: { get(name: string): string | null } } | undefined
  }>
}

/** A key that can verify. */
export interface UsableKey {
  // Its name is known only where the types of browsers are.
  key: Awaited<ReturnType<typeof crypto.subtle.importKey>>
  expired_at: number | null
}

export const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const

/** The key of an id among those that are given. */
export async function pickKey(keys: readonly PublicKey[], kid: string): Promise<UsableKey> {
  const found = keys.find((key) => key.kid === kid)
  if (!found) throw new WebhookVerificationError('unknown_key')
  return importKey(found)
}

export async function importKey(found: PublicKey): Promise<UsableKey> {
  try {
    // Only the point is taken, so nothing else that a key says of itself can matter.
    const jwk = { kty: 'EC', crv: algorithm.namedCurve, x: found.x, y: found.y }
    const key = await crypto.subtle.importKey('jwk', jwk, algorithm, false, ['verify'])
    return { key, expired_at: found.expired_at ?? null }
  } catch (cause) {
    throw new WebhookVerificationError('unusable_key', { cause })
  }
}
