import type { Queries } from '../kernel/database.ts'
import type { Keys } from '../kernel/keys.ts'
import { randomBytes } from '../kernel/random-bytes.ts'
import { insertSignInKey, keepInReset, type UserKey } from './dashboard-access-store.ts'

/** A link can be sent by mail and opened the next morning. */
export const linkLifetimeMs = 24 * 3_600_000

/** 256 random bits, as a link and a session are known by. */
export const newAccessKey = (): string => Buffer.from(randomBytes(32)).toString('base64url')

/** What is stored of such a key. The purpose keeps the hash of a link from opening a session. */
export const hashAccessKey = (keys: Keys, purpose: 'link' | 'session', key: string): string =>
  keys.hash(`dashboard ${purpose} ${key}`)

/**
 * Makes a link that signs a user in once, and returns its address without the origin. The key stands
 * behind `#`, so that no server, proxy or log sees it.
 */
export async function createSignInLink(
  { keys, now }: { keys: Keys; now: number },
  db: Queries,
  { client_id, user_id }: UserKey,
): Promise<string> {
  const key = newAccessKey()
  const key_hash = hashAccessKey(keys, 'link', key)
  await insertSignInKey(db, { client_id, user_id, key_hash, expires_at: now + linkLifetimeMs })
  await keepInReset(db, { client_id, user_id })
  return `/dashboard/sign-in#key=${key}`
}
