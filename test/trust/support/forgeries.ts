import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { importJWK, jwtVerify } from 'jose'
import { signInput, toClaims } from '../../../src/server/webhooks/sign.ts'
import {
  type PublicKey,
  verifyWebhook,
  WebhookVerificationError,
} from '../../../src/webhooks/index.ts'
import { body, encode, iat, key, privateKey } from '../../support/webhook-vectors.ts'
import type { Random } from './random.ts'

/** A body, and what came with it to vouch for it. */
interface Forgery {
  /** What was done, one word for each part. */
  how: string[]
  token: string
  body: string
}

const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const wider = generateKeyPairSync('ec', { namedCurve: 'P-384' })
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const edwards = generateKeyPairSync('ed25519')
const { kid = '' } = key
const {
  created_at: _created,
  expired_at: _expired,
  ...jwk
} = key as PublicKey & {
  created_at?: number
  expired_at: number | null
}

type Sign = (input: string) => string
const ecdsa = (hash: string, signer: KeyObject) => (input: string) =>
  sign(hash, Buffer.from(input), { key: signer, dsaEncoding: 'ieee-p1363' }).toString('base64url')
const hmac = (secret: string | Buffer) => (input: string) =>
  createHmac('sha256', secret).update(input).digest('base64url')
const point = Buffer.concat([Buffer.from(key.x, 'base64url'), Buffer.from(key.y, 'base64url')])

/** What signs; only the first one has the service's key. */
const signers: Record<string, Sign> = {
  genuine: (input) => signInput(input, privateKey),
  stripped: () => '',
  zeros: () => Buffer.alloc(64).toString('base64url'),
  ones: () => Buffer.alloc(64, 255).toString('base64url'),
  stranger: ecdsa('sha256', stranger.privateKey),
  'stranger, ES384': ecdsa('sha384', wider.privateKey),
  'stranger, RS256': (input) =>
    sign('sha256', Buffer.from(input), rsa.privateKey).toString('base64url'),
  'stranger, EdDSA': (input) =>
    sign(null, Buffer.from(input), edwards.privateKey).toString('base64url'),
  'HMAC by the JWK': hmac(JSON.stringify(key)),
  'HMAC by the bare JWK': hmac(JSON.stringify(jwk)),
  'HMAC by x': hmac(Buffer.from(key.x, 'base64url')),
  'HMAC by the point': hmac(Buffer.concat([Buffer.from([4]), point])),
  'HMAC by nothing': hmac(''),
  'signature of another header': (input) =>
    signInput(`${encode({ alg: 'ES256' })}.${input.split('.')[1]}`, privateKey),
  'signature of the body': () => signInput(body, privateKey),
  'in DER': (input) => sign('sha256', Buffer.from(input), privateKey).toString('base64url'),
}

const algs: readonly unknown[] = [
  'ES256',
  'none',
  'None',
  'NONE',
  'nOnE',
  '',
  undefined,
  null,
  'es256',
  ' ES256',
  'ES256 ',
  'ES384',
  'ES512',
  'ES256K',
  'HS256',
  'HS384',
  'HS512',
  'RS256',
  'PS256',
  'EdDSA',
  'ECDH-ES',
  ['ES256'],
  { ES256: true },
  0,
  true,
]

const headers: Record<string, object> = {
  plain: {},
  'its own jwk': { jwk: stranger.publicKey.export({ format: 'jwk' }) },
  'its own keys elsewhere': { jku: 'http://127.0.0.1:1/keys', x5u: 'http://127.0.0.1:1/chain' },
  'its own certificate': { x5c: [encode('certificate')], x5t: 'AAAA' },
  'an unknown kid': { kid: '00000000-0000-4000-8000-000000000000' },
  'a kid that is a path': { kid: `../../dev/null` },
  'a kid that is a statement': { kid: `${kid}' or '1'='1` },
  'a kid with a zero byte': { kid: `${kid}\0` },
  'a kid of an object': { kid: '__proto__' },
  'a list of kids': { kid: [kid] },
  'no kid': { kid: undefined },
  'an extension': { crit: ['b64'], b64: false },
  'another type': { typ: 'at+jwt' },
}

const claims: Record<string, object> = {
  plain: {},
  stale: { iat: iat - 301 },
  'a year old': { iat: iat - 31_536_000 },
  future: { iat: iat + 31 },
  'of no time': { iat: undefined },
  'of infinite time': { iat: Number.MAX_VALUE },
  'of time in text': { iat: String(iat) },
  'of negative time': { iat: -iat },
  'for another body': { request_body_sha256: toClaims('{}', iat).request_body_sha256 },
  'for no body': { request_body_sha256: undefined },
  'for a body in capitals': {
    request_body_sha256: toClaims(body, iat).request_body_sha256.toUpperCase(),
  },
}

const swapped = JSON.stringify({ ...JSON.parse(body), item_id: 'of somebody else' })
const bodies: Record<string, string> = {
  plain: body,
  swapped,
  spaced: `${body} `,
  'with a byte order mark': `\uFEFF${body}`,
  'with a second value': body.replace('{', '{"webhook_code":"OTHER",'),
  empty: '',
}

const parts = [
  algs,
  Object.keys(signers),
  Object.keys(headers),
  Object.keys(claims),
  Object.keys(bodies),
] as const

/** What every part is changed into, by its place; 0 leaves it as the service makes it. */
type Choice = [number, number, number, number, number]

const genuine: Choice = [0, 0, 0, 0, 0]

/** Everything with one part changed, everything with two, and so many with any changed by chance. */
export function* forge(random: Random, more: number): Generator<Forgery> {
  for (const [one, first] of parts.entries()) {
    for (const choice of first.keys()) {
      yield* make(genuine.with(one, choice) as Choice)
      for (const [other, second] of parts.entries()) {
        if (other <= one || choice === 0) continue
        for (const next of second.keys()) {
          if (next > 0) yield* make(genuine.with(one, choice).with(other, next) as Choice)
        }
      }
    }
  }
  for (let count = 0; count < more; count += 1) {
    yield* make(parts.map((part) => random.between(0, part.length - 1)) as Choice)
  }
}

function* make([alg, signer, header, claim, text]: Choice): Generator<Forgery> {
  const how = [
    String(algs[alg]),
    ...[signer, header, claim, text].map((choice, index) => String(parts[index + 1]?.[choice])),
  ]
  if (isGenuine(how)) return
  const fields = { alg: algs[alg], kid, typ: 'JWT', ...headers[how[2] as string] }
  const stated = { ...toClaims(body, iat), ...claims[how[3] as string] }
  const input = `${encode(fields)}.${encode(stated)}`
  const token = `${input}.${signers[how[1] as string]?.(input)}`
  yield { how, token, body: bodies[how[4] as string] as string }
}

// Places to find keys are left alone, so that they change nothing.
const harmless = ['plain', 'its own jwk', 'its own keys elsewhere', 'its own certificate']
const isGenuine = ([alg, signer, header = '', claim, text]: string[]): boolean =>
  alg === 'ES256' &&
  signer === 'genuine' &&
  harmless.includes(header) &&
  claim === 'plain' &&
  text === 'plain'

/** Whether a receiver takes it that has nothing but our verification. */
export async function passesOurs({ token, body: sent }: Forgery): Promise<boolean> {
  const received = { 'Service-Verification': token }
  try {
    await verifyWebhook(sent, received, { keys: [key], now: () => iat * 1000 })
    return true
  } catch (error) {
    if (error instanceof WebhookVerificationError) return false
    throw error
  }
}

/** Whether one takes it that looks at nothing but the hash of the body. */
export function passesCareless({ token, body: sent }: Forgery): boolean {
  const payload = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()
  return JSON.parse(payload).request_body_sha256 === toClaims(sent, iat).request_body_sha256
}

/** Whether one takes it that follows SECURITY.md with a library of others. */
export async function passesJose({ token, body: sent }: Forgery): Promise<boolean> {
  try {
    const find = async (header: { kid?: string }) => {
      if (header.kid !== kid) throw new Error('unknown')
      return importJWK(jwk, 'ES256')
    }
    const { payload } = await jwtVerify(token, find, {
      algorithms: ['ES256'],
      typ: 'JWT',
      currentDate: new Date(iat * 1000),
      maxTokenAge: 270,
      clockTolerance: 30,
    })
    return payload['request_body_sha256'] === toClaims(sent, iat).request_body_sha256
  } catch {
    return false
  }
}
