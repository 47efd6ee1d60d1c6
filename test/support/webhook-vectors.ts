import {
  createHmac,
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { root } from '../../scripts/contract/contract.ts'
import { signInput, toClaims, toHeader } from '../../src/server/webhooks/sign.ts'
import type { PublicKey, WebhookVerificationReason } from '../../src/webhooks/index.ts'

const read = (file: string) => parse(readFileSync(join(root, file), 'utf8'))
const { example } = read('openapi/components/parameters/ServiceVerification.yaml')
const { webhookVerificationKeyGetResponse: answer, webhookVerificationKeyGetResponseRetired } =
  read('openapi/examples/webhooks/webhookVerificationKeyGet.yaml')
const { newAccountsAvailableWebhook } = read('openapi/examples/items/webhooks.yaml')

/** The moment of the contract's example, in Unix seconds. */
export const iat = 1773669909
export const body = JSON.stringify(newAccountsAvailableWebhook.value, null, 2)
/** The key of the contract's example; its private half is `test/support/webhook-key.json`. */
export const key: PublicKey & { expired_at: number | null } = answer.value.key
/** A key with the same point that was retired before the example was signed. */
export const retiredKey: PublicKey = {
  ...webhookVerificationKeyGetResponseRetired.value.key,
  kid: 'retired',
}
/** One that was retired in the very second. */
export const justRetiredKey: PublicKey = { ...key, kid: 'just retired', expired_at: iat }
/** One that was retired in the second after. */
export const retiringKey: PublicKey = { ...key, kid: 'retiring', expired_at: iat + 1 }
export const published: string = example

const jwk = JSON.parse(readFileSync(join(root, 'test/support/webhook-key.json'), 'utf8'))
export const privateKey = createPrivateKey({ key: jwk, format: 'jwk' })
const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' })

/** A token whose every part can be something else. */
export interface Parts {
  header?: object
  claims?: object
  key?: KeyObject
  sign?: (input: string) => string
}

export const encode = (value: object | string): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

const header = toHeader(key.kid)
export const claims = toClaims(body, iat)

export function token(parts: Parts = {}): string {
  const { key: signer = privateKey, sign = (input: string) => signInput(input, signer) } = parts
  const input = `${encode({ ...header, ...parts.header })}.${encode({ ...claims, ...parts.claims })}`
  return `${input}.${sign(input)}`
}

/** A token, the body that came with it, and why it must be rejected; null if it must be accepted. */
export interface Vector {
  name: string
  token: string
  body: string
  reason: WebhookVerificationReason | null
  /** A general JWT library finds nothing wrong with it. */
  allowedByJose?: true
}

const of = (
  name: string,
  reason: Vector['reason'],
  made: string | Parts,
  rest: Partial<Vector> = {},
): Vector => ({
  name,
  reason,
  token: typeof made === 'string' ? made : token(made),
  body,
  ...rest,
})

const [head, payload, signature] = published.split('.') as [string, string, string]
const otherSpelling = `${signature.slice(0, -1)}${{ A: 'B', Q: 'R', g: 'h', w: 'x' }[signature.at(-1)!]}`
const polish = JSON.stringify({ webhook_type: 'ITEM', webhook_code: 'Żółć € 𝄞' }, null, 2)
const compact = JSON.stringify(newAccountsAvailableWebhook.value)
const hmac = (secret: string | Buffer) => (input: string) =>
  createHmac('sha256', secret).update(input).digest('base64url')
const places = { jku: 'https://attacker.example/keys', x5u: 'https://attacker.example/chain' }
const allowedByJose = true as const

/** Compared with the time {@link iat}. */
export const vectors: Vector[] = [
  of('the published example', null, published),
  of('text beyond ASCII', null, { claims: toClaims(polish, iat) }, { body: polish }),
  of('a body in one line', null, { claims: toClaims(compact, iat) }, { body: compact }),
  of('claims that nobody knows', null, { claims: { iss: 'service', nested: { a: [1] } } }),
  of('five minutes of age', null, { claims: { iat: iat - 300 } }),
  of('30 seconds into the future', null, { claims: { iat: iat + 30 } }),
  of('a key that is retired later', null, { header: { kid: 'retiring' } }),
  of('places to find keys, which are left alone', null, { header: places }),

  of('no text', 'missing_header', ''),
  of('one part', 'malformed_token', head),
  of('two parts', 'malformed_token', `${head}.${payload}`),
  of('four parts', 'malformed_token', `${published}.${signature}`),
  of('five parts', 'malformed_token', `${published}..`),
  of('padding', 'malformed_token', `${published}==`, { allowedByJose }),
  of('white space at its end', 'malformed_token', `${published} `, { allowedByJose }),
  of('white space within', 'malformed_token', published.replace('.', '. ')),
  of('a line break', 'malformed_token', `${head}\n.${payload}.${signature}`),
  of('the other alphabet', 'malformed_token', published.replaceAll('_', '/')),
  of(
    'another spelling of the signature',
    'malformed_token',
    `${head}.${payload}.${otherSpelling}`,
    {
      allowedByJose,
    },
  ),
  of('a header that is no JSON', 'wrong_algorithm', `${encode('{')}.${payload}.${signature}`),
  of('a header that is null', 'wrong_algorithm', `${encode('null')}.${payload}.${signature}`),
  of(
    'a header of 5 kB',
    'malformed_token',
    { header: { pad: 'x'.repeat(5000) } },
    { allowedByJose },
  ),
  of('no typ', 'malformed_token', { header: { typ: undefined } }),
  of('another typ', 'malformed_token', { header: { typ: 'JOSE' } }),
  of('an extension that must be understood', 'malformed_token', {
    header: { crit: ['exp'], exp: 1 },
  }),
  of('no kid', 'malformed_token', { header: { kid: undefined } }),
  of('an empty kid', 'malformed_token', { header: { kid: '' } }),
  of('a kid that is a number', 'malformed_token', { header: { kid: 7 } }),
  of('a kid beyond all length', 'malformed_token', { header: { kid: 'k'.repeat(129) } }),
  of('claims that are no JSON', 'malformed_token', signed(encode('{'))),
  of('claims that are a list', 'malformed_token', signed(encode('[]'))),
  of('no iat', 'malformed_token', { claims: { iat: undefined } }),
  of('an iat that is text', 'malformed_token', { claims: { iat: String(iat) } }),
  of(
    'an iat with a fraction',
    'malformed_token',
    { claims: { iat: iat - 0.5 } },
    { allowedByJose },
  ),
  of('no hash', 'malformed_token', { claims: { request_body_sha256: undefined } }),
  of('a hash that is a list', 'malformed_token', {
    claims: { request_body_sha256: [claims.request_body_sha256] },
  }),

  of('alg none without a signature', 'wrong_algorithm', {
    header: { alg: 'none' },
    sign: () => '',
  }),
  of('alg None', 'wrong_algorithm', { header: { alg: 'None' }, sign: () => '' }),
  of('no alg', 'wrong_algorithm', { header: { alg: undefined } }),
  of('alg es256', 'wrong_algorithm', { header: { alg: 'es256' } }),
  of('a list of algs', 'wrong_algorithm', { header: { alg: ['ES256'] } }),
  of('alg ES384', 'wrong_algorithm', { header: { alg: 'ES384' } }),
  of('alg RS256', 'wrong_algorithm', { header: { alg: 'RS256' } }),
  of('HS256 with the public key as its secret', 'wrong_algorithm', {
    header: { alg: 'HS256' },
    sign: hmac(JSON.stringify(key)),
  }),
  of('HS256 with a coordinate as its secret', 'wrong_algorithm', {
    header: { alg: 'HS256' },
    sign: hmac(Buffer.from(key.x, 'base64url')),
  }),

  of('an HMAC that calls itself ES256', 'bad_signature', { sign: hmac(JSON.stringify(key)) }),
  of('the key of another', 'bad_signature', { key: stranger.privateKey }),
  of('the key of another, which it brings along', 'bad_signature', {
    header: { jwk: stranger.publicKey.export({ format: 'jwk' }) },
    key: stranger.privateKey,
  }),
  of('a signature of nothing but zeros', 'bad_signature', {
    sign: () => Buffer.alloc(64).toString('base64url'),
  }),
  of('a signature that is too short', 'bad_signature', {
    sign: (input) => encodeBytes(Buffer.from(signInput(input, privateKey), 'base64url'), 63),
  }),
  of('a signature in DER', 'bad_signature', {
    sign: (input) => sign('sha256', Buffer.from(input), privateKey).toString('base64url'),
  }),
  of('a signature and more', 'bad_signature', {
    sign: (input) => encodeBytes(Buffer.from(`${signInput(input, privateKey)}AA`, 'base64url'), 65),
  }),
  of('no signature', 'bad_signature', { sign: () => '' }),
  of('the signature of other claims', 'bad_signature', {
    claims: { iat: iat + 1 },
    sign: () => signature,
  }),

  of('a key that does not exist', 'unknown_key', { header: { kid: 'nobody' } }),
  of('a key that was retired before', 'expired_key', { header: { kid: 'retired' } }),
  of('a key that was retired in this second', 'expired_key', { header: { kid: 'just retired' } }),
  of('more than five minutes of age', 'stale', { claims: { iat: iat - 301 } }),
  of('an iat of 1970', 'stale', { claims: { iat: 0 } }),
  of('more than 30 seconds into the future', 'future', { claims: { iat: iat + 31 } }),
  of('an iat in milliseconds', 'future', { claims: { iat: iat * 1000 } }),

  of('a body with one more byte', 'altered_body', published, { body: `${body}\n` }),
  of('a body that was parsed and written again', 'altered_body', published, { body: compact }),
  of('an empty body', 'altered_body', published, { body: '' }),
  of('the hash in capitals', 'altered_body', {
    claims: { request_body_sha256: claims.request_body_sha256.toUpperCase() },
  }),
  of('the hash and more', 'altered_body', {
    claims: { request_body_sha256: `${claims.request_body_sha256}0` },
  }),
  of('part of the hash', 'altered_body', {
    claims: { request_body_sha256: claims.request_body_sha256.slice(0, 32) },
  }),
  ...[
    '{',
    'null',
    '[]',
    '"text"',
    '{"webhook_type":"ITEM"}',
    '{"webhook_type":1,"webhook_code":2}',
  ].map((text) =>
    of(
      `the body ${text}`,
      'malformed_body',
      { claims: toClaims(text, iat) },
      { body: text, allowedByJose },
    ),
  ),
]

function signed(rawClaims: string): string {
  const input = `${encode(header)}.${rawClaims}`
  return `${input}.${signInput(input, privateKey)}`
}

function encodeBytes(bytes: Buffer, length: number): string {
  return bytes.subarray(0, length).toString('base64url')
}
