import type { operations } from '../../generated/2020-09-14/operations.ts'
import { WebhookVerificationError } from './error.ts'
import { importKey, type KeySource, type UsableKey } from './keys.ts'

type KeyError = (typeof operations)['webhookVerificationKeyGet']['errors']['400'][number]
const noSuchKey: KeyError = 'INVALID_WEBHOOK_VERIFICATION_KEY_ID'

interface CachedKey extends UsableKey {
  readAt: number
}

interface Cache {
  keys: Map<string, CachedKey>
  pending: Map<string, Promise<CachedKey>>
  /** When the counting of strangers began. */
  since: number
  /** How many keys were asked for since then that were not found, or not yet. */
  strangers: number
}

/** A rotation is noticed by the new key's id; this is for keys that are retired without one. */
const freshMs = 3_600_000
const mostKeys = 100
/** Forged ids must not turn into as many calls, nor webhooks while nothing answers. */
const mostStrangers = 30
const windowMs = 60_000
/** A sender waits 10 seconds for its answer, which should be a 503 rather than nothing. */
const lookupMs = 5000

const caches = new WeakMap<KeySource, Cache>()

/**
 * The key of an id. Keys are kept for an hour, each is fetched once at a time, and ids that do not
 * exist are not asked for without limit.
 */
export async function fetchKey(source: KeySource, kid: string, now: number): Promise<UsableKey> {
  const cache = caches.get(source) ?? newCache(source)
  const known = cache.keys.get(kid)
  if (known && Math.abs(now - known.readAt) < freshMs) return known
  const pending = cache.pending.get(kid)
  if (pending) return pending
  if (!known) admitStranger(cache, now)
  const lookup = lookUp(source, kid, now).finally(() => cache.pending.delete(kid))
  cache.pending.set(kid, lookup)
  // If it is not found again it is a stranger from now on.
  cache.keys.delete(kid)
  const found = await lookup
  if (!known) welcome(cache)
  keep(cache, kid, found)
  return found
}

function newCache(source: KeySource): Cache {
  const cache: Cache = { keys: new Map(), pending: new Map(), since: 0, strangers: 0 }
  caches.set(source, cache)
  return cache
}

function admitStranger(cache: Cache, now: number): void {
  if (Math.abs(now - cache.since) >= windowMs) Object.assign(cache, { since: now, strangers: 0 })
  if (cache.strangers >= mostStrangers) throw new WebhookVerificationError('key_unavailable')
  cache.strangers += 1
}

/** A new key is no stranger. Those before it may have been retired, and so are read again. */
function welcome(cache: Cache): void {
  cache.strangers -= 1
  for (const key of cache.keys.values()) key.readAt = Number.NEGATIVE_INFINITY
}

function keep(cache: Cache, kid: string, key: CachedKey): void {
  cache.keys.set(kid, key)
  const [oldest] = cache.keys.keys()
  if (cache.keys.size > mostKeys && oldest !== undefined) cache.keys.delete(oldest)
}

async function lookUp(source: KeySource, kid: string, now: number): Promise<CachedKey> {
  const { data, error } = await ask(source, kid)
  if (data) return { ...(await importKey(data.key)), readAt: now }
  throw error?.error_code === noSuchKey
    ? new WebhookVerificationError('unknown_key')
    : new WebhookVerificationError('key_unavailable', { cause: error })
}

async function ask(source: KeySource, kid: string) {
  try {
    const signal = AbortSignal.timeout(lookupMs)
    return await source.webhookVerificationKeyGet({ key_id: kid }, { signal })
  } catch (cause) {
    throw new WebhookVerificationError('key_unavailable', { cause })
  }
}
