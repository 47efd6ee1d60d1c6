import type { operations } from '#contract/operations.ts'
import { WebhookVerificationError } from './error.ts'
import { importKey, type KeySource, type UsableKey } from './keys.ts'
import { createLimit, type Limit } from './limit.ts'

type KeyError = (typeof operations)['webhookVerificationKeyGet']['errors']['400'][number]
const noSuchKey: KeyError = 'INVALID_WEBHOOK_VERIFICATION_KEY_ID'

const currentKeyId = 'Current-Key-Id'

interface CachedKey extends UsableKey {
  readAt: number
}

interface Cache {
  keys: Map<string, CachedKey>
  pending: Map<string, Promise<CachedKey>>
  /** Ids that the service has vouched for: their keys were found, or it named them as current. */
  vouched: Set<string>
  /** Ids that do not exist, and when that was learned. */
  absent: Map<string, number>
  /** Lookups of ids that nobody has vouched for, which anybody can invent. */
  strangers: Limit
  /** Lookups of all other ids: a flood of invented ones takes nothing from these. */
  trusted: Limit
  /** The latest lookup of a stranger: its answer names the key that signs now. */
  asking: Promise<unknown> | undefined
}

/** A rotation is noticed by the new key's id; this is for keys that are retired without one. */
const freshMs = 3_600_000
const absentMs = 60_000
const mostKeys = 100
const mostAbsent = 1000
/** Forged ids must not turn into as many calls, nor webhooks while nothing answers. */
const strangersAtOnce = 30
const strangersPerMinute = 30
const trustedAtOnce = 2 * mostKeys
const trustedPerMinute = 60
/** A sender waits 10 seconds for its answer, which should be a 503 rather than nothing. */
const lookupMs = 5000
const longestKid = 128

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
  if (cache.vouched.has(kid)) {
    if (!cache.trusted.take(now)) throw new WebhookVerificationError('key_unavailable')
  } else if (!takeStranger(cache, kid, now)) {
    // The answer to another one's lookup may vouch for this one.
    await cache.asking
    if (!cache.vouched.has(kid)) throw new WebhookVerificationError('key_unavailable')
    return fetchKey(source, kid, now)
  }
  return begin(source, cache, kid, now)
}

function newCache(source: KeySource): Cache {
  const cache: Cache = {
    keys: new Map(),
    pending: new Map(),
    vouched: new Set(),
    absent: new Map(),
    strangers: createLimit(strangersAtOnce, strangersPerMinute),
    trusted: createLimit(trustedAtOnce, trustedPerMinute),
    asking: undefined,
  }
  caches.set(source, cache)
  return cache
}

/** Whether a stranger can be asked for; throws where the answer is known. */
function takeStranger({ absent, strangers }: Cache, kid: string, now: number): boolean {
  const learned = absent.get(kid)
  if (learned !== undefined && Math.abs(now - learned) < absentMs) {
    throw new WebhookVerificationError('unknown_key')
  }
  return strangers.take(now)
}

async function begin(
  source: KeySource,
  cache: Cache,
  kid: string,
  now: number,
): Promise<CachedKey> {
  const isVouched = cache.vouched.has(kid)
  const isNew = !cache.keys.delete(kid)
  const lookup = lookUp(source, cache, kid, now).finally(() => cache.pending.delete(kid))
  cache.pending.set(kid, lookup)
  if (!isVouched) cache.asking = lookup.catch(() => {})
  const found = await lookup
  if (!isVouched) cache.strangers.giveBack()
  if (isNew) readOthersAgain(cache)
  keep(cache, kid, found)
  return found
}

/** Keys from before a new one may have been retired. */
function readOthersAgain({ keys }: Cache): void {
  for (const key of keys.values()) key.readAt = Number.NEGATIVE_INFINITY
}

function keep(cache: Cache, kid: string, key: CachedKey): void {
  cache.keys.set(kid, key)
  vouch(cache, kid)
  dropOldest(cache.keys, mostKeys)
}

function vouch({ vouched, absent }: Cache, kid: string): void {
  absent.delete(kid)
  // The latest ones are last.
  vouched.delete(kid)
  vouched.add(kid)
  dropOldest(vouched, mostKeys)
}

function dropOldest(all: Map<string, unknown> | Set<string>, most: number): void {
  const [oldest] = all.keys()
  if (all.size > most && oldest !== undefined) all.delete(oldest)
}

async function lookUp(
  source: KeySource,
  cache: Cache,
  kid: string,
  now: number,
): Promise<CachedKey> {
  const { data, error, response } = await ask(source, kid)
  if (data) return { ...(await importKey(data.key)), readAt: now }
  if (error?.error_code !== noSuchKey) {
    throw new WebhookVerificationError('key_unavailable', { cause: error })
  }
  cache.vouched.delete(kid)
  cache.absent.set(kid, now)
  dropOldest(cache.absent, mostAbsent)
  const current = response?.headers.get(currentKeyId) ?? ''
  if (current !== '' && current.length <= longestKid) vouch(cache, current)
  throw new WebhookVerificationError('unknown_key')
}

async function ask(source: KeySource, kid: string) {
  try {
    const signal = AbortSignal.timeout(lookupMs)
    return await source.webhookVerificationKeyGet({ key_id: kid }, { signal })
  } catch (cause) {
    throw new WebhookVerificationError('key_unavailable', { cause })
  }
}
