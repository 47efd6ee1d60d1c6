import { readObject } from './base64url.ts'
import { WebhookVerificationError } from './error.ts'
import { algorithm, type UsableKey } from './keys.ts'
import type { Token } from './token.ts'

export interface Claims {
  /** When the token was signed, in whole Unix seconds. */
  iat: number
  /** The SHA-256 of the body, in lower-case hex. */
  hash: string
}

/** What a token says, once its signature is known to be one of the key. */
export async function readClaims(token: Token, key: UsableKey): Promise<Claims> {
  await checkSignature(token, key)
  return parseClaims(token)
}

/** Throws unless the key has signed the token. */
export async function checkSignature(
  { signature, signed }: Token,
  { key }: UsableKey,
): Promise<void> {
  // Of another length than 64 bytes, such as one in DER, no signature holds.
  const isSigned = await crypto.subtle.verify(algorithm, key, signature, signed)
  if (!isSigned) throw new WebhookVerificationError('bad_signature')
}

/** What a token says, whoever has signed it. */
export function parseClaims({ claims }: Token): Claims {
  const { iat, request_body_sha256: hash } = readObject(claims) ?? {}
  if (!isTime(iat) || typeof hash !== 'string') {
    throw new WebhookVerificationError('malformed_token')
  }
  return { iat, hash }
}

const isTime = (value: unknown): value is number => Number.isSafeInteger(value)
