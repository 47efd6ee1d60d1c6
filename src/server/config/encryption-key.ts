import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { writeDurably } from '../kernel/write-durably.ts'
import type { Config } from './config.ts'
import { ConfigError } from './read-option.ts'
import { repeatsItself } from './weak-secret.ts'

const keyLength = 32

/** Reads a key of 32 bytes, written in hexadecimal or base64. */
export function parseEncryptionKey(text: string, name = 'ENCRYPTION_KEY'): Uint8Array {
  const trimmed = text.trim()
  const encoding = /^[0-9a-f]{64}$/i.test(trimmed) ? 'hex' : 'base64'
  const key = Buffer.from(trimmed, encoding)
  // Node skips characters that are not base64, so a typing error would become another key.
  const isBase64 = /^[\w+/-]*={0,2}$/.test(trimmed)
  if (key.length !== keyLength || !isBase64) {
    throw new ConfigError(`${name} must be ${keyLength} bytes in hexadecimal or base64`)
  }
  return key
}

/** A key, and what to do once it is known to be that of the data. */
export interface FoundKey {
  key: Uint8Array
  /** Those before it, while it takes their place. */
  previous: readonly Uint8Array[]
  /** What a message calls it. */
  name: string
  /** Writes it beside the data, if it is new; nothing may be written with it before. */
  keep(): void
}

/** The key that options give, and those before it, with commas between them. */
export function givenKey(text: string, previous: string | undefined): FoundKey {
  const name = 'ENCRYPTION_KEY_PREVIOUS'
  const texts = previous?.split(',') ?? []
  return {
    key: parseEncryptionKey(text),
    previous: texts.map((one) => parseEncryptionKey(one, `each key in ${name}`)),
    name: 'ENCRYPTION_KEY',
    keep: () => {},
  }
}

/** Throws where production would take a placeholder for a key. One that is replaced may be one. */
export function rejectWeakKey(key: Uint8Array, environment: Config['environment']): void {
  if (environment !== 'production' || !hasPattern(key)) return
  throw new ConfigError(
    `ENCRYPTION_KEY must be ${keyLength} random bytes in production, such as \`openssl rand -hex ${keyLength}\` prints; a key with a pattern that was in use goes into ENCRYPTION_KEY_PREVIOUS`,
  )
}

/** Whether a part comes again and again, or each byte is as much above the one before. */
function hasPattern(key: Uint8Array): boolean {
  const steps = new Set([...key.subarray(1)].map((byte, at) => (byte - (key[at] ?? 0)) & 0xff))
  return steps.size === 1 || repeatsItself(Buffer.from(key).toString('hex'))
}

/** The key that lies beside the data, or a new one. */
export function readKeyFile(file: string): FoundKey {
  if (!existsSync(file)) {
    const key = randomBytes(keyLength)
    let isKept = false
    return {
      key,
      previous: [],
      name: `${file} is missing, and ENCRYPTION_KEY is not set: one of them`,
      keep() {
        // The transaction that it is called in may begin again.
        if (!isKept) writeKey(file, key)
        isKept = true
      },
    }
  }
  const key = parseEncryptionKey(readText(file), file)
  return { key, previous: [], name: file, keep: () => {} }
}

function writeKey(file: string, key: Buffer): void {
  try {
    // Data outlives a power cut, and would be lost without its key.
    writeDurably(file, `${key.toString('hex')}\n`)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    throw new ConfigError(`${file} cannot be written (${code}): the data needs its key`)
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    throw new ConfigError(`${file} cannot be read`)
  }
}

export const newEncryptionKey = (): Uint8Array => randomBytes(keyLength)
