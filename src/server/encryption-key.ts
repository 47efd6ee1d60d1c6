import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { ConfigError } from './config.ts'

const keyLength = 32

/** Reads a key of 32 bytes, written in hexadecimal or base64. */
export function parseEncryptionKey(text: string): Uint8Array {
  const trimmed = text.trim()
  const encoding = /^[0-9a-f]{64}$/i.test(trimmed) ? 'hex' : 'base64'
  const key = Buffer.from(trimmed, encoding)
  if (key.length !== keyLength) {
    throw new ConfigError(`ENCRYPTION_KEY must be ${keyLength} bytes in hexadecimal or base64`)
  }
  return key
}

/** The key that lies beside the data; the first start writes it. */
export function readKeyFile(file: string): Uint8Array {
  if (!existsSync(file)) {
    const key = randomBytes(keyLength).toString('hex')
    writeFileSync(file, `${key}\n`, { mode: 0o600, flag: 'wx' })
  }
  return parseEncryptionKey(readFileSync(file, 'utf8'))
}

export const newEncryptionKey = (): Uint8Array => randomBytes(keyLength)
