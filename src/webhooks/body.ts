import { type Bytes, encodeText, readObject } from './base64url.ts'
import { WebhookVerificationError } from './error.ts'
import type { WebhookEvent } from './event.ts'

/** A body as it arrived: its text, or its bytes (a `Buffer` is such). */
export type RawBody = string | Uint8Array | ArrayBuffer

/** A copy of the body's bytes, so that nothing changes them between the check and the reading. */
export function readBody(raw: RawBody): Bytes {
  if (typeof raw === 'string') return encodeText(raw)
  // No `instanceof`: in some test runners bytes come from another realm.
  if (ArrayBuffer.isView(raw)) return Uint8Array.from(raw)
  if (Object.prototype.toString.call(raw) !== '[object ArrayBuffer]') {
    throw new WebhookVerificationError('raw_body_needed')
  }
  return new Uint8Array(raw).slice()
}

/** Throws unless the SHA-256 of the body is this one, compared in a time that tells nothing. */
export async function checkHash(body: Bytes, hash: string): Promise<void> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', body))
  const hex = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
  let difference = hex.length ^ hash.length
  for (let at = 0; at < hex.length; at += 1) difference |= hex.charCodeAt(at) ^ hash.charCodeAt(at)
  if (difference !== 0) throw new WebhookVerificationError('altered_body')
}

/** The event that a verified body tells of. */
export function readEvent(body: Bytes): WebhookEvent {
  const event = readObject(body)
  if (typeof event?.['webhook_type'] !== 'string' || typeof event['webhook_code'] !== 'string') {
    throw new WebhookVerificationError('malformed_body')
  }
  // The service signed it, so its fields are those of the contract, or of a newer one.
  return event as WebhookEvent
}
