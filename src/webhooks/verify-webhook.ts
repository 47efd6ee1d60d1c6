import { checkHash, type RawBody, readBody, readEvent } from './body.ts'
import { readClaims } from './claims.ts'
import type { WebhookEvent } from './event.ts'
import { fetchKey } from './key-cache.ts'
import { type KeySource, type PublicKey, pickKey } from './keys.ts'
import { checkAge, checkKeyTime } from './times.ts'
import { readToken, type WebhookHeaders } from './token.ts'

/** Where the keys come from, and what time it is. */
export type VerifyOptions = (
  | {
      /** Fetches keys, with the credentials that the webhook was registered with; they are cached. */
      client: KeySource
      keys?: never
    }
  | {
      /** The keys that you trust, instead of those that the service has. */
      keys: readonly PublicKey[]
      client?: never
    }
) & {
  /** How old a signature may be, in seconds: 300 unless set. */
  maxAge?: number | undefined
  /** How far ahead of this machine's clock a signature may be, in seconds: 30 unless set. */
  tolerance?: number | undefined
  /** The present, in milliseconds since 1970: `Date.now` unless set. */
  now?: (() => number) | undefined
}

/**
 * Verifies that the service sent exactly this body to you, and lately, and returns its event.
 *
 * @param rawBody - The body as it arrived. JSON that was parsed and written again is another body.
 * @throws {@link WebhookVerificationError} with the `reason`, and the `status` to answer with.
 * @throws TypeError when neither a client nor keys are given.
 * @example
 * ```ts
 * import { createClient } from 'financial-data-service'
 * import { verifyWebhook, WebhookVerificationError } from 'financial-data-service/webhooks'
 *
 * const client = createClient({
 *   baseUrl: 'http://127.0.0.1:4000',
 *   clientId: 'sandbox-client',
 *   secret: 'sandbox-secret',
 * })
 *
 * export async function POST(request: Request): Promise<Response> {
 *   try {
 *     const event = await verifyWebhook(await request.arrayBuffer(), request.headers, { client })
 *     console.info(event.webhook_type, event.webhook_code)
 *     return new Response('ok')
 *   } catch (error) {
 *     if (!(error instanceof WebhookVerificationError)) throw error
 *     return new Response(error.reason, { status: error.status })
 *   }
 * }
 * ```
 */
export async function verifyWebhook(
  rawBody: RawBody,
  headers: WebhookHeaders,
  options: VerifyOptions,
): Promise<WebhookEvent> {
  const { client, keys, now = Date.now } = options
  if (!client && !keys) throw new TypeError('`client` or `keys` is needed to verify a webhook')
  const body = readBody(rawBody)
  const token = readToken(headers)
  const time = now()
  const key = client ? await fetchKey(client, token.kid, time) : await pickKey(keys, token.kid)
  const { iat, hash } = await readClaims(token, key)
  checkKeyTime(iat, key)
  checkAge(iat, time, options)
  await checkHash(body, hash)
  return readEvent(body)
}
