import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto'
import { randomBytes } from './random-bytes.ts'

const algorithm = 'aes-256-gcm'
const nonceLength = 12
const tagLength = 16

/** Encrypts with a key of 32 bytes; `bound` has to be the same when it is opened. */
export function seal(key: KeyObject, plain: Uint8Array, bound = ''): string {
  const nonce = randomBytes(nonceLength)
  const cipher = createCipheriv(algorithm, key, nonce)
  if (bound !== '') cipher.setAAD(Buffer.from(bound))
  const sealed = cipher.update(plain)
  // In this mode nothing is left over for the end, which makes the tag.
  cipher.final()
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
}

/** Opens what `seal` has made; throws when anything of it was changed. */
export function unseal(key: KeyObject, sealed: string, bound = ''): Buffer {
  const bytes = Buffer.from(sealed, 'base64url')
  const nonce = bytes.subarray(0, nonceLength)
  const tag = bytes.subarray(nonceLength, nonceLength + tagLength)
  // Without the length, shorter tags would pass.
  const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagLength })
  if (bound !== '') decipher.setAAD(Buffer.from(bound))
  decipher.setAuthTag(tag)
  const plain = decipher.update(bytes.subarray(nonceLength + tagLength))
  // Throws when anything was changed.
  decipher.final()
  return plain
}
