import { createHash, type KeyObject, sign } from 'node:crypto'

/** What signs, and the name that receivers fetch its public half by. */
export interface SigningKey {
  kid: string
  privateKey: KeyObject
}

export interface Claims {
  /** Real Unix seconds, whatever a client's clock says: receivers compare them with their own. */
  iat: number
  request_body_sha256: string
}

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')

export const toHeader = (kid: string) => ({ alg: 'ES256', kid, typ: 'JWT' })

export const toClaims = (body: string, iat: number): Claims => ({
  iat,
  request_body_sha256: createHash('sha256').update(body).digest('hex'),
})

/** The part of a JWT that its signature covers. */
export const toSigningInput = (header: object, claims: Claims): string =>
  `${encode(header)}.${encode(claims)}`

/** An ES256 signature: r and s as they are, not DER. */
export const signInput = (input: string, key: KeyObject): string =>
  sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')

/** The JWT that vouches for a body. */
export function signBody(body: string, key: SigningKey, iat: number): string {
  const input = toSigningInput(toHeader(key.kid), toClaims(body, iat))
  return `${input}.${signInput(input, key.privateKey)}`
}
