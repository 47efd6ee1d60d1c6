import { type Bytes, decodeBase64url, encodeText, readObject } from './base64url.ts'
import { WebhookVerificationError } from './error.ts'
import { headerName } from './header-name.ts'

interface HeaderReader {
  get(name: string): string | null
}

/**
 * The headers of a webhook: those of a Fetch request, or a plain object as Node, Express, Fastify
 * and the event of a cloud function have them, in any case.
 */
export type WebhookHeaders =
  | HeaderReader
  | Readonly<Record<string, string | readonly string[] | undefined>>

/** A token that has the form of one, and that nobody has vouched for. */
export interface Token {
  kid: string
  claims: Bytes
  /** What the signature covers. */
  signed: Bytes
  signature: Bytes
}

const longestToken = 4096
const longestKid = 128

export function readToken(headers: WebhookHeaders): Token {
  const text = readHeader(headers)
  const parts = text.length > longestToken ? [] : text.split('.', 4)
  if (parts.length !== 3) throw new WebhookVerificationError('malformed_token')
  const [head, claims, signature] = parts as [string, string, string]
  const { alg, typ, kid, crit } = readObject(decodeBase64url(head)) ?? {}
  // What the token says of its algorithm is compared, and never chosen from.
  if (alg !== 'ES256') throw new WebhookVerificationError('wrong_algorithm')
  const isKid = typeof kid === 'string' && kid !== '' && kid.length <= longestKid
  // An extension named by `crit` must be understood (RFC 7515, 4.1.11), and none is here.
  if (!isKid || typ !== 'JWT' || crit !== undefined) {
    throw new WebhookVerificationError('malformed_token')
  }
  return {
    kid,
    claims: decodeBase64url(claims),
    signed: encodeText(`${head}.${claims}`),
    signature: decodeBase64url(signature),
  }
}

/** The value of the signature's header, which must be there exactly once. */
function readHeader(headers: WebhookHeaders): string {
  const values = isReader(headers)
    ? [headers.get(headerName) ?? '']
    : Object.entries(headers)
        .filter(([key]) => key.toLowerCase() === headerName.toLowerCase())
        .flatMap(([, value]) => value ?? [])
  // Several of one name are joined by a comma here as HTTP does it, and no token has one.
  const value = values.join()
  if (value === '') throw new WebhookVerificationError('missing_header')
  if (value.includes(',')) throw new WebhookVerificationError('repeated_header')
  return value
}

const isReader = (headers: WebhookHeaders): headers is HeaderReader =>
  typeof headers['get'] === 'function'
