import { createHash } from 'node:crypto'
import { decodeProtectedHeader, importJWK, type JWK, jwtVerify } from 'jose'
import type { Received } from './receiver.ts'
import type { Tenant } from './service.ts'

const oldest = 300
const tolerance = 30

type Keys = Record<string, JWK & { expired_at: number | null }>

/**
 * Judges a webhook as its receiver should, with a library that knows nothing of this service: the
 * reason to reject it, or null.
 */
export async function judge(webhook: Received, keys: Keys): Promise<string | null> {
  const jwt = String(webhook.headers['service-verification'])
  try {
    const { alg, kid = '' } = decodeProtectedHeader(jwt)
    if (alg !== 'ES256') return 'algorithm'
    const jwk = keys[kid]
    if (!jwk) return 'unknown key'
    const { payload } = await jwtVerify(jwt, await importJWK(jwk), {
      algorithms: ['ES256'],
      typ: 'JWT',
      maxTokenAge: oldest,
      clockTolerance: tolerance,
    })
    if (jwk.expired_at !== null && jwk.expired_at <= (payload.iat ?? 0)) return 'retired key'
    const hash = createHash('sha256').update(webhook.body).digest('hex')
    return payload['request_body_sha256'] === hash ? null : 'hash'
  } catch (error) {
    return (error as { code?: string }).code ?? String(error)
  }
}

/** Fetches the keys that webhooks name; those that do not exist are left out. */
async function fetchKeys(
  tenant: Pick<Tenant, 'api'>,
  webhooks: readonly Received[],
): Promise<Keys> {
  const ids = webhooks.map(({ headers }) => {
    const { kid } = decodeProtectedHeader(String(headers['service-verification']))
    return kid ?? ''
  })
  const keys: Keys = {}
  for (const key_id of new Set(ids)) {
    const { data } = await tenant.api.webhookVerificationKeyGet({ key_id })
    if (data) keys[key_id] = data.key
  }
  return keys
}

/** The reasons to reject webhooks, as a receiver finds them that has only the public client. */
export async function judgeAll(
  tenant: Pick<Tenant, 'api'>,
  webhooks: readonly Received[],
): Promise<(string | null)[]> {
  const keys = await fetchKeys(tenant, webhooks)
  return Promise.all(webhooks.map((webhook) => judge(webhook, keys)))
}
