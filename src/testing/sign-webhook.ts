import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto'
import { headerNames } from '#contract/operations.ts'
import type { SandboxTamper } from '../../generated/sandbox/types.ts'
import { type SigningKey, signBody } from '../server/webhooks/sign.ts'
import { forgeSignature } from '../server/webhooks/tamper.ts'
import type { KnownWebhookEvent } from '../webhooks/event.ts'
import type { PublicKey } from '../webhooks/keys.ts'

/** A key pair of a test, with the name that receivers know its public half by. */
export interface WebhookKey {
  readonly kid: string
  /** The public half, as the service would give it out. */
  readonly publicKey: PublicKey
}

/** One way in which a delivery can be one that a receiver has to refuse. */
export type Tamper =
  | SandboxTamper
  /** The header with the signature is not there. */
  | 'missing_header'
  /** The header holds something that is no token. */
  | 'malformed_token'
  /** The key had been retired before it signed this. */
  | 'expired_key'
  /** The body was signed, and is no event. */
  | 'malformed_body'

/** How a webhook is signed. */
export interface SignOptions {
  /** The key that signs; unless set, one that all calls in this process share. */
  key?: WebhookKey
  /** When it is signed: now unless set. */
  at?: Date
  /** What is wrong with it. */
  tamper?: Tamper
}

/** A webhook as it would arrive. */
export interface SignedWebhook {
  /** The exact bytes, as a text. */
  body: string
  headers: Record<string, string>
  /** What `verifyWebhook` needs to believe it. */
  keys: readonly PublicKey[]
}

/** The private halves, apart: printed, a key shows nothing secret, and its type needs none of Node's. */
const privateKeys = new WeakMap<WebhookKey, KeyObject>()

/** Makes a key pair that signs webhooks in a test. */
export function createWebhookKey(kid: string = randomUUID()): WebhookKey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const key: WebhookKey = { kid, publicKey: { kid, x, y } }
  privateKeys.set(key, privateKey)
  return key
}

let shared: WebhookKey | undefined

/**
 * Signs a webhook as the service does, with a key of the test: for unit tests of a receiver, without
 * a service.
 *
 * @example
 * ```ts
 * import { signWebhook } from 'financial-data-service/testing'
 * import { verifyWebhook } from 'financial-data-service/webhooks'
 *
 * const { body, headers, keys } = signWebhook({
 *   webhook_type: 'TRANSACTIONS',
 *   webhook_code: 'SYNC_UPDATES_AVAILABLE',
 *   item_id: '5eEvj67hPLEmwFi8wtQ9KbQ4FkzAuGsTP6kLX',
 *   initial_update_complete: true,
 *   historical_update_complete: true,
 *   environment: 'sandbox',
 * })
 * const event = await verifyWebhook(body, headers, { keys })
 * console.log(event.webhook_code)
 * ```
 */
export function signWebhook(event: KnownWebhookEvent, options: SignOptions = {}): SignedWebhook {
  shared ??= createWebhookKey()
  const { key = shared, at = new Date(), tamper } = options
  if (Number.isNaN(at.getTime())) throw new TypeError('`at` must be a date')
  const body = tamper === 'malformed_body' ? 'not an event' : JSON.stringify(event, null, 2)
  const iat = Math.floor(at.getTime() / 1000)
  const expired = tamper === 'expired_key' ? { expired_at: iat } : {}
  const token = tokenOf(body, { key: signingKey(key), iat, tamper })
  return {
    body,
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { [headerNames.signature.toLowerCase()]: token }),
    },
    keys: [{ ...key.publicKey, ...expired }],
  }
}

function signingKey(key: WebhookKey): SigningKey {
  const privateKey = privateKeys.get(key)
  if (!privateKey) throw new TypeError('`key` must be one that `createWebhookKey` made')
  return { kid: key.kid, privateKey }
}

interface Signing {
  key: SigningKey
  iat: number
  tamper: Tamper | undefined
}

function tokenOf(body: string, { key, iat, tamper }: Signing): string | undefined {
  switch (tamper) {
    case 'missing_header':
      return undefined
    case 'malformed_token':
      return 'not.a-token'
    case undefined:
    case 'expired_key':
    case 'malformed_body':
      return signBody(body, key, iat)
    default:
      return forgeSignature(tamper, body, key, iat)
  }
}
