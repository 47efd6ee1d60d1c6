import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { signBody } from '../../src/server/webhooks/sign.ts'
import {
  type VerifyOptions,
  verifyWebhook,
  WebhookVerificationError,
} from '../../src/webhooks/index.ts'
import { body, encode, iat, key, privateKey, published, token } from '../support/webhook-vectors.ts'

const options: VerifyOptions = { keys: [key], now: () => iat * 1000 }
const bytes = new TextEncoder().encode(body)

const verify = (raw: string | Uint8Array, jwt: string) =>
  verifyWebhook(raw, { 'service-verification': jwt }, options)

/** What became of a webhook: verified, rejected, or an error of another kind. */
const outcomeOf = (raw: string | Uint8Array, jwt: string): Promise<string> =>
  verify(raw, jwt).then(
    () => 'verified',
    (error: unknown) => (error instanceof WebhookVerificationError ? 'refused' : String(error)),
  )

const outcomes = async (webhooks: [string | Uint8Array, string][]): Promise<Set<string>> =>
  new Set(await Promise.all(webhooks.map(([raw, jwt]) => outcomeOf(raw, jwt))))

/** Every way to flip one bit. */
const flips = (original: Uint8Array): Uint8Array[] =>
  [...original].flatMap((byte, at) =>
    Array.from({ length: 8 }, (_, bit) => original.with(at, byte ^ (1 << bit))),
  )

describe('a webhook is rejected', () => {
  test('with any bit of its body flipped', async () => {
    const altered = flips(bytes).map((raw): [Uint8Array, string] => [raw, published])
    expect(altered).toHaveLength(8 * bytes.length)
    expect(await outcomes(altered)).toEqual(new Set(['refused']))
  })

  test('with any bit of its token flipped', async () => {
    const altered = flips(Buffer.from(published)).map((jwt): [string, string] => [
      body,
      Buffer.from(jwt).toString('latin1'),
    ])
    expect(altered).toHaveLength(8 * published.length)
    expect(await outcomes(altered)).toEqual(new Set(['refused']))
  })

  test('with anything put in, left out or replaced', async () => {
    const cut = fc.record({
      inBody: fc.boolean(),
      at: fc.nat(published.length),
      removed: fc.nat(20),
      added: fc.string({ unit: 'binary', maxLength: 20 }),
    })
    await fc.assert(
      fc.asyncProperty(cut, async ({ inBody, at, removed, added }) => {
        const original = inBody ? body : published
        const altered = original.slice(0, at) + added + original.slice(at + removed)
        fc.pre(altered !== original)
        const webhook: [string, string] = inBody ? [altered, published] : [body, altered]
        expect(await outcomeOf(...webhook)).toBe('refused')
      }),
      { numRuns: 500 },
    )
  })

  test('with any text as its token', async () => {
    const part = fc.oneof(
      fc.base64String(),
      fc.json().map(encode),
      fc.dictionary(fc.constantFrom('alg', 'kid', 'typ', 'crit'), fc.jsonValue()).map(encode),
    )
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(part, { maxLength: 5 }).map((parts) => parts.join('.')),
    )
    await fc.assert(
      fc.asyncProperty(text, async (jwt) => {
        expect(await outcomeOf(body, jwt)).toBe('refused')
      }),
      { numRuns: 1000 },
    )
  })

  test('with any algorithm but ES256, though its signature is right', async () => {
    const alg = fc.jsonValue().filter((value) => value !== 'ES256')
    await fc.assert(
      fc.asyncProperty(alg, async (other) => {
        await expect(verify(body, token({ header: { alg: other } }))).rejects.toMatchObject({
          reason: 'wrong_algorithm',
        })
      }),
    )
  })

  test('with any claims but a whole number of seconds and a hash', async () => {
    const near = (value: unknown) => typeof value === 'number' && Math.abs(value - iat) <= 300
    const claims: fc.Arbitrary<object> = fc.oneof(
      fc.record({ iat: fc.jsonValue().filter((value) => !near(value)) }),
      fc
        .record({ iat: fc.double({ min: iat - 300, max: iat, maxExcluded: true }) })
        .filter((value) => !Number.isInteger(value.iat)),
      fc.record({ request_body_sha256: fc.jsonValue() }),
    )
    await fc.assert(
      fc.asyncProperty(claims, async (other) => {
        expect(await outcomeOf(body, token({ claims: other }))).toBe('refused')
      }),
    )
  })
})

test('whatever the service signs is verified, and read as it was written', async () => {
  const text = fc.string({ unit: 'grapheme' })
  const event = fc
    .record({ webhook_type: text, webhook_code: text, more: fc.jsonValue() })
    .map((value) => JSON.stringify(value, null, 2))
  await fc.assert(
    fc.asyncProperty(event, async (raw) => {
      const jwt = signBody(raw, { kid: key.kid, privateKey }, iat)
      expect(await verify(raw, jwt)).toEqual(JSON.parse(raw))
      expect(await verify(Buffer.from(raw), jwt)).toEqual(JSON.parse(raw))
    }),
  )
})
