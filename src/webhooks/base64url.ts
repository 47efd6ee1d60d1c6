import { WebhookVerificationError } from './error.ts'

/** Bytes that Web Crypto takes: not shared with another thread. */
export type Bytes = Uint8Array<ArrayBuffer>

export const encodeText = (text: string): Bytes => new TextEncoder().encode(text)

/**
 * Decodes one part of a token. Each byte sequence has one spelling: anything that is written otherwise
 * (padding, white space, spare bits) is refused, so that no two tokens mean the same.
 */
export function decodeBase64url(part: string): Bytes {
  try {
    const binary = atob(part.replaceAll('-', '+').replaceAll('_', '/'))
    const spelled = btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
    if (spelled === part) return Uint8Array.from(binary, (character) => character.charCodeAt(0))
  } catch {
    // Not of the alphabet.
  }
  throw new WebhookVerificationError('malformed_token')
}

/** The JSON object in some bytes; undefined when they hold no such thing. */
export function readObject(bytes: Bytes): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes))
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  } catch {
    // The error of JSON.parse would quote the text.
  }
  return undefined
}
