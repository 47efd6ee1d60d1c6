import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { importJWK, jwtVerify } from 'jose'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { root } from '../../scripts/contract.ts'
import { signBody } from '../../src/server/webhooks/sign.ts'
import { forgeSignature } from '../../src/server/webhooks/tamper.ts'

const read = (file: string) => parse(readFileSync(join(root, file), 'utf8'))
const { example: published } = read('openapi/components/parameters/ServiceVerification.yaml')
const { newAccountsAvailableWebhook } = read('openapi/examples/items/webhooks.yaml')
const jwk = JSON.parse(readFileSync(join(root, 'test/support/webhook-key.json'), 'utf8'))

const body = JSON.stringify(newAccountsAvailableWebhook.value, null, 2)
const key = { kid: jwk.kid, privateKey: createPrivateKey({ key: jwk, format: 'jwk' }) }
const publishedAt = 1773669909
const now = () => Math.floor(Date.now() / 1000)
const publicKey = { ...jwk, d: undefined, expired_at: null }

type IsAuthentic = (
  body: Uint8Array,
  jwt: string,
  fetchKey: (keyId: string) => Promise<object | undefined>,
) => Promise<boolean>

/** The verifier that the introduction gives to readers, as it stands there. */
async function verifierOfTheDocs(): Promise<IsAuthentic> {
  const text = readFileSync(join(root, 'openapi/introduction.md'), 'utf8')
  const code = [...text.matchAll(/^```ts\n(.*?)^```/gms)].find(([, one]) =>
    one?.includes('function isAuthentic'),
  )?.[1]
  const source = stripTypeScriptTypes(code ?? '')
  const module = await import(`data:text/javascript,${encodeURIComponent(source)}`)
  return module.isAuthentic
}

describe('the signature', () => {
  test('is that of the published vector, but for its random part', () => {
    const [head, claims, signature] = signBody(body, key, publishedAt).split('.')
    expect([head, claims]).toEqual(published.split('.').slice(0, 2))
    expect(Buffer.from(signature!, 'base64url')).toHaveLength(64)
  })

  test.each([
    ['the published one', () => published],
    ['one of the service', () => signBody(body, key, publishedAt)],
  ])('verifies with another library: %s', async (_, make) => {
    const currentDate = new Date(publishedAt * 1000)
    const options = { algorithms: ['ES256'], currentDate, maxTokenAge: 300 }
    const { payload } = await jwtVerify(make(), await importJWK(publicKey, 'ES256'), options)
    expect(payload.iat).toBe(publishedAt)
  })

  test('covers the bytes of text beyond ASCII', async () => {
    const isAuthentic = await verifierOfTheDocs()
    const text = JSON.stringify({ name: 'Żółć € 𝄞' }, null, 2)
    const jwt = signBody(text, key, now())
    expect(await isAuthentic(Buffer.from(text), jwt, async () => publicKey)).toBe(true)
  })
})

describe('the verifier of the docs', () => {
  const fetchKey = async (id: string) => (id === key.kid ? publicKey : undefined)

  test('accepts what the service signs', async () => {
    const isAuthentic = await verifierOfTheDocs()
    expect(await isAuthentic(Buffer.from(body), signBody(body, key, now()), fetchKey)).toBe(true)
  })

  test.each([
    'bad_signature',
    'unknown_key',
    'stale',
    'future',
    'altered_body',
    'alg_none',
  ] as const)('refuses %s', async (tamper) => {
    const isAuthentic = await verifierOfTheDocs()
    const jwt = forgeSignature(tamper, body, key, now())
    expect(await isAuthentic(Buffer.from(body), jwt, fetchKey)).toBe(false)
  })
})
