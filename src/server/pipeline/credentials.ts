import { headerNames } from '#contract/operations.ts'
import { ApiError } from '../kernel/errors.ts'
import type { Body } from './parse-body.ts'
import { isText } from './parse-body.ts'

/** Header values by lower-case name. */
export type Headers = Readonly<Record<string, string | undefined>>

export interface Credentials {
  clientId: string
  secret: string
}

// Node returns header names in lower case.
export const clientIdHeader = headerNames.clientId.toLowerCase()
export const secretHeader = headerNames.secret.toLowerCase()

/** The names of the fields that can hold credentials. */
export const credentialFields = ['client_id', 'secret', 'client_secret', 'public_key'] as const

/** The client id and secret of a request whose headers contain both, for any operation. */
export function takeFromHeaders(headers: Headers, oauth: boolean): Credentials | undefined {
  const code = oauth ? 'oauth.invalid_client' : 'INVALID_API_KEYS'
  const basic = oauth ? readBasic(headers['authorization']) : undefined
  const clientId = agree([headers[clientIdHeader], basic?.clientId], code)
  const secret = agree([headers[secretHeader], basic?.secret], code)
  return clientId && secret ? { clientId, secret } : undefined
}

/** A client id and secret from the headers, the body, or one from each. */
export function takeCredentials(headers: Headers, body: Body): Credentials {
  const clientId = agreeTwice(headers, body, ['clientId', 'client_id'])
  const secret = agreeTwice(headers, body, ['secret', 'secret'])
  if (!clientId || !secret) {
    const missing = [
      ...(clientId ? [] : [`\`${headerNames.clientId}\` (or the field \`client_id\`)`]),
      ...(secret ? [] : [`\`${headerNames.secret}\` (or the field \`secret\`)`]),
    ]
    const message = `missing headers: ${missing.join(', ')}`
    throw new ApiError('MISSING_FIELDS', { message, action: 'Send the named headers.' })
  }
  return { clientId, secret }
}

/** The same for the two token operations, which also know `client_secret` and HTTP Basic. */
export function takeOAuthCredentials(headers: Headers, body: Body): Credentials {
  const basic = readBasic(headers['authorization'])
  const fromHeaders = [headers[clientIdHeader], basic?.clientId]
  const clientId = agree([...fromHeaders, body['client_id']], 'oauth.invalid_client')
  const secret = agree(
    [headers[secretHeader], basic?.secret, body['client_secret'], body['secret']],
    'oauth.invalid_client',
  )
  if (!clientId || !secret) throw new ApiError('oauth.invalid_client')
  return { clientId, secret }
}

/** A credential that both the headers and the body can hold. */
function agreeTwice(
  headers: Headers,
  body: Body,
  [name, field]: readonly [header: 'clientId' | 'secret', field: string],
): string | undefined {
  const shown = headers[headerNames[name].toLowerCase()]
  const given = body[field]
  if (shown && typeof given === 'string' && given !== '' && shown !== given) {
    const message = `the field \`${field}\` is read as a credential, and it differs from the header \`${headerNames[name]}\``
    const action = `Leave \`${field}\` out of the body, or send the value of the header there.`
    throw new ApiError('INVALID_API_KEYS', { message, action })
  }
  return agree([shown, given])
}

/** The value on which all sources agree, if any source has one. */
function agree(
  places: unknown[],
  code: 'INVALID_API_KEYS' | 'oauth.invalid_client' = 'INVALID_API_KEYS',
): string | undefined {
  let agreed: string | undefined
  for (const value of places) {
    if (typeof value !== 'string' || value === '') continue
    if (agreed !== undefined && value !== agreed) throw new ApiError(code)
    agreed = value
  }
  return agreed
}

/** RFC 7617, with the percent-encoding that RFC 6749 section 2.3.1 adds. */
export function readBasic(header: string | undefined): Credentials | undefined {
  const encoded = header?.match(/^Basic +([A-Za-z0-9+/=]+)$/i)?.[1]
  if (!encoded) return undefined
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon < 0) throw new ApiError('oauth.invalid_client')
  const clientId = decode(text.slice(0, colon))
  // No client has such an id, and PostgreSQL cannot search for it.
  if (!isText(clientId)) throw new ApiError('oauth.invalid_client')
  return { clientId, secret: decode(text.slice(colon + 1)) }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (cause) {
    throw new ApiError('oauth.invalid_client', { cause })
  }
}
