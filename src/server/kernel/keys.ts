import { createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto'
import { seal, unseal } from './seal.ts'

/** What is kept of secrets: a keyed hash to compare with, or a ciphertext with its key's id. */
export interface Keys {
  /** The hash that a token or secret is stored and looked up by. */
  hash(secret: string): string
  /** Encrypts a value for a column of its own. */
  encrypt(plain: string): string
  decrypt(stored: string): string
  /** Prefixes of values that an older key encrypted and that must be encrypted again. */
  outdated: readonly string[]
}

/** The keys of data: what hashes, and what encrypts columns. */
export interface DataKeys {
  hashing: Uint8Array
  /** Those that decrypt, the oldest first. */
  columns: readonly Uint8Array[]
  /** The one of them that encrypts: not the newest while a process may run that lacks that one. */
  encrypting: Uint8Array
}

const derive = (key: Uint8Array, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key, '', `financial-data-service ${purpose}`, 32))

/**
 * A key for one purpose, so that none serves two. An object, since Node checks bytes again whenever
 * they are used as a key, which takes longer than what they are used for.
 */
export const deriveKey = (key: Uint8Array, purpose: string): KeyObject =>
  createSecretKey(derive(key, purpose))

/** Names a key without telling anything of it. */
export const toKeyId = (key: Uint8Array): string =>
  derive(key, 'key id').subarray(0, 4).toString('hex')

/** Where one key serves for all, as it does in tests. */
export const createKeys = (key: Uint8Array): Keys =>
  keysOf({ hashing: key, columns: [key], encrypting: key })

export function keysOf({ hashing, columns, encrypting }: DataKeys): Keys {
  const hashKey = deriveKey(hashing, 'token hashes')
  const columnKeys = new Map(columns.map((key) => [toKeyId(key), deriveKey(key, 'columns')]))
  const keyId = toKeyId(encrypting)
  const columnKey = deriveKey(encrypting, 'columns')
  const isNewest = columns.at(-1) === encrypting
  return {
    hash: (secret) => createHmac('sha256', hashKey).update(secret).digest('base64url'),
    encrypt: (plain) => `${keyId}.${seal(columnKey, Buffer.from(plain))}`,
    decrypt(stored) {
      const [id = '', sealed = ''] = stored.split('.')
      const key = columnKeys.get(id)
      if (!key) throw new Error('a column was encrypted with another ENCRYPTION_KEY')
      return unseal(key, sealed).toString()
    },
    outdated: isNewest ? columns.slice(0, -1).map((key) => `${toKeyId(key)}.`) : [],
  }
}

/** Compares without telling by its time where two hashes differ. */
export function isSameHash(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
