import { createHash } from 'node:crypto'
import { runInNewContext } from 'node:vm'
import { decodeProtectedHeader, importJWK, jwtVerify } from 'jose'
import { describe, expect, test } from 'vitest'
import {
  type VerifyOptions,
  verifyWebhook,
  type WebhookHeaders,
  WebhookVerificationError,
} from '../../src/webhooks/index.ts'
import {
  body,
  iat,
  justRetiredKey,
  key,
  published,
  retiredKey,
  retiringKey,
  type Vector,
  vectors,
} from '../support/webhook-vectors.ts'

const keys = [key, retiredKey, justRetiredKey, retiringKey]
const options: VerifyOptions = { keys, now: () => iat * 1000 }
const name = 'Service-Verification'

/** The error of a webhook that is rejected. */
async function rejection(
  raw: unknown,
  headers: WebhookHeaders,
  changed: Partial<VerifyOptions> = {},
): Promise<WebhookVerificationError> {
  // What a caller without types may pass is tried as well.
  const verified = verifyWebhook(raw as string, headers, {
    ...options,
    ...changed,
  } as VerifyOptions)
  const error = await verified.then(
    () => 'verified',
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof WebhookVerificationError)) throw new Error(`not refused: ${error}`)
  return error
}

describe('a vector', () => {
  const genuine = vectors.filter(({ reason }) => reason === null)
  const rejected = vectors.filter(({ reason }) => reason !== null)

  test.each(genuine)('is verified: $name', async (vector) => {
    const event = await verifyWebhook(vector.body, { [name]: vector.token }, options)
    expect(event).toEqual(JSON.parse(vector.body))
  })

  test.each(rejected)('is rejected as $reason: $name', async (vector) => {
    const { reason, status } = await rejection(vector.body, { [name]: vector.token })
    expect({ reason, status }).toEqual({ reason: vector.reason, status: 400 })
  })

  test.each(vectors)('is judged alike by another library: $name', async (vector) => {
    expect(await josesVerdict(vector)).toBe(vector.reason === null || vector.allowedByJose === true)
  })
})

/** Whether a library that knows nothing of this one finds nothing wrong. */
async function josesVerdict({ token, body }: Vector): Promise<boolean> {
  try {
    const { kid } = decodeProtectedHeader(token)
    const jwk = keys.find((one) => one.kid === kid)
    if (!jwk) return false
    const { payload } = await jwtVerify(token, await importJWK(jwk, 'ES256'), {
      algorithms: ['ES256'],
      typ: 'JWT',
      currentDate: new Date(iat * 1000),
      // Its tolerance counts in both directions, so these are 300 back and 30 ahead.
      maxTokenAge: 270,
      clockTolerance: 30,
    })
    const hash = createHash('sha256').update(body).digest('hex')
    const isInTime = jwk.expired_at == null || (payload.iat ?? 0) < jwk.expired_at
    return isInTime && payload['request_body_sha256'] === hash
  } catch {
    return false
  }
}

describe('the body', () => {
  const bytes = new TextEncoder().encode(body)
  const framed = new Uint8Array([1, ...bytes, 2])

  test.each<[string, string | Uint8Array | ArrayBuffer]>([
    ['text', body],
    ['bytes', bytes],
    ['a Buffer', Buffer.from(body)],
    ['an ArrayBuffer', bytes.buffer],
    ['part of a larger buffer', framed.subarray(1, -1)],
    ['memory that threads share', shared(bytes)],
    ['bytes of another realm', runInNewContext('Uint8Array.from(bytes)', { bytes })],
    ['a buffer of another realm', runInNewContext('Uint8Array.from(bytes).buffer', { bytes })],
  ])('can be %s', async (_, raw) => {
    const event = await verifyWebhook(raw, { [name]: published }, options)
    expect(event.webhook_code).toBe('NEW_ACCOUNTS_AVAILABLE')
  })

  test.each<[string, unknown]>([
    ['an object that was parsed', JSON.parse(body)],
    ['an empty object', {}],
    ['a list', []],
    ['nothing', undefined],
    ['null', null],
    ['a stream', new Response(body).body],
  ])('cannot be %s, which is the fault of the receiver', async (_, raw) => {
    const { reason, status } = await rejection(raw, { [name]: published })
    expect({ reason, status }).toEqual({ reason: 'raw_body_needed', status: 500 })
  })

  test('can be large', async () => {
    const { reason } = await rejection(new Uint8Array(20_000_000), { [name]: published })
    expect(reason).toBe('altered_body')
  })

  test.each([
    ['bytes', Uint8Array.from(bytes)],
    ['an ArrayBuffer', Uint8Array.from(bytes).buffer],
  ])('is read as it was when it was passed: %s', async (_, raw) => {
    const verified = verifyWebhook(raw, { [name]: published }, options)
    new Uint8Array(raw instanceof ArrayBuffer ? raw : raw.buffer).fill(0)
    expect((await verified).webhook_type).toBe('ITEM')
  })
})

function shared(bytes: Uint8Array): Uint8Array {
  const view = new Uint8Array(new SharedArrayBuffer(bytes.length))
  view.set(bytes)
  return view
}

describe('the headers', () => {
  test.each<[string, WebhookHeaders]>([
    ['those of Fetch', new Headers({ [name]: published })],
    ['those of Node', { host: '127.0.0.1', 'service-verification': published }],
    ['in capitals', { 'SERVICE-VERIFICATION': published }],
    ['with lists', { 'set-cookie': ['a', 'b'], [name]: [published] }],
    ['with what is not there', { [name.toLowerCase()]: undefined, [name]: published }],
  ])('can be %s', async (_, headers) => {
    expect((await verifyWebhook(body, headers, options)).webhook_type).toBe('ITEM')
  })

  test.each<[string, WebhookHeaders]>([
    ['none', {}],
    ['others', { authorization: published }],
    ['without a value', { [name]: undefined }],
    ['an empty list', { [name]: [] }],
    ['of Fetch, without it', new Headers()],
  ])('lack the token: %s', async (_, headers) => {
    expect((await rejection(body, headers)).reason).toBe('missing_header')
  })

  const twice = new Headers({ [name]: published })
  twice.append(name, published)
  test.each<[string, WebhookHeaders]>([
    ['in a list', { [name]: [published, published] }],
    ['in two spellings', { [name]: published, [name.toLowerCase()]: published }],
    ['joined by a server', { [name]: `${published}, ${published}` }],
    ['of Fetch', twice],
    ['once empty', { [name]: ['', published] }],
  ])('have it more than once: %s', async (_, headers) => {
    expect((await rejection(body, headers)).reason).toBe('repeated_header')
  })

  test('can be huge without being read', async () => {
    const huge = { [name]: `${published}.${'.'.repeat(10_000_000)}` }
    expect((await rejection(body, huge)).reason).toBe('malformed_token')
  })
})

describe('the options', () => {
  const at = (seconds: number) => ({ now: () => (iat + seconds) * 1000 })

  test('take another age', async () => {
    const late = { ...options, ...at(3600), maxAge: 3600 }
    expect((await verifyWebhook(body, { [name]: published }, late)).webhook_type).toBe('ITEM')
    expect((await rejection(body, { [name]: published }, { maxAge: 10, ...at(11) })).reason).toBe(
      'stale',
    )
  })

  test('take another tolerance', async () => {
    const strict = { tolerance: 0, ...at(-1) }
    expect((await rejection(body, { [name]: published }, strict)).reason).toBe('future')
  })

  test('compare with the real time unless configured otherwise', async () => {
    const { reason } = await rejection(body, { [name]: published }, { now: Date.now })
    expect(reason).toBe('stale')
    await expect(verifyWebhook(body, { [name]: published }, { keys })).rejects.toMatchObject({
      reason,
    })
  })

  test.each(['maxAge', 'tolerance'] as const)(
    'fail closed with a %s that is no number',
    async (bad) => {
      const wrong = { [bad]: Number.NaN }
      await expect(rejection(body, { [name]: published }, wrong)).resolves.toBeDefined()
    },
  )

  test('need keys, or a client that fetches them', async () => {
    const none = {} as VerifyOptions
    await expect(verifyWebhook(body, { [name]: published }, none)).rejects.toThrow(
      '`client` or `keys`',
    )
  })

  test('take keys with no more than a point and a name', async () => {
    const { kid, x, y } = key
    const bare = { keys: [{ kid, x, y }], now: options.now! }
    expect((await verifyWebhook(body, { [name]: published }, bare)).webhook_type).toBe('ITEM')
  })

  test.each([
    ['off the curve', { ...key, y: key.x }],
    ['no point', { ...key, x: '' }],
  ])('reject a key that is %s, which is not the fault of the sender', async (_, bad) => {
    const { reason, status } = await rejection(body, { [name]: published }, { keys: [bad] })
    expect({ reason, status }).toEqual({ reason: 'unusable_key', status: 500 })
  })
})

describe('an error', () => {
  test.each(vectors.filter(({ reason }) => reason !== null))(
    'is one line without the body or the token: $name',
    async (vector) => {
      const error = await rejection(vector.body, { [name]: vector.token })
      expect(error.name).toBe('WebhookVerificationError')
      expect(error.message).toMatch(/^[^\n]{20,140}$/)
      const all = JSON.stringify([error, String(error), error.message, String(error.cause)])
      const secrets = [...vector.token.split('.'), vector.body].filter((part) => part.length > 8)
      for (const secret of secrets) expect(all).not.toContain(secret)
    },
  )
})
