import { createHash, createPrivateKey, createPublicKey, type JsonWebKey, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { root } from '../../scripts/contract/contract.ts'

// The signature, the key and the body that the contract shows as examples belong together.

const read = (file: string) => parse(readFileSync(join(root, file), 'utf8'))
const { example: jwt, schema } = read('openapi/components/parameters/ServiceVerification.yaml')
const { webhookVerificationKeyGetResponse: answer } = read(
  'openapi/examples/webhooks/webhookVerificationKeyGet.yaml',
)
const { newAccountsAvailableWebhook: webhook } = read('openapi/examples/items/webhooks.yaml')
const testKey = JSON.parse(readFileSync(join(root, 'test/support/webhook-key.json'), 'utf8'))

const body = JSON.stringify(webhook.value, null, 2)
const decode = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())

/** Whether the JWT was signed by the key, for exactly this body. */
function signs(token: string, jwk: JsonWebKey, sent: string): boolean {
  const [head, claims, signature] = token.split('.') as [string, string, string]
  const key = createPublicKey({ key: jwk, format: 'jwk' })
  const options = { key, dsaEncoding: 'ieee-p1363' as const }
  const signed = Buffer.from(`${head}.${claims}`)
  const hash = createHash('sha256').update(sent).digest('hex')
  return (
    verify('sha256', signed, options, Buffer.from(signature, 'base64url')) &&
    decode(claims).request_body_sha256 === hash
  )
}

describe('the example of Service-Verification', () => {
  test('verifies with the example key over the example webhook', () => {
    expect(signs(jwt, answer.value.key, body)).toBe(true)
    expect(schema.examples).toEqual([jwt])
  })

  test('names that key, and the moment of the story', () => {
    const [head, claims] = jwt.split('.')
    expect(decode(head)).toEqual({ alg: 'ES256', kid: answer.value.key.kid, typ: 'JWT' })
    expect(decode(claims).iat).toBe(1773669909)
  })

  test.each([
    ['a changed value', body.replace('sandbox', 'production')],
    ['other white space', JSON.stringify(webhook.value)],
  ])('fails over a body with %s', (_, altered) => {
    expect(signs(jwt, answer.value.key, altered)).toBe(false)
  })

  test('fails when its claims were altered', () => {
    const [head, claims, signature] = jwt.split('.')
    const later = { ...decode(claims), iat: 1773669910 }
    const forged = Buffer.from(JSON.stringify(later)).toString('base64url')
    expect(signs(`${head}.${forged}.${signature}`, answer.value.key, body)).toBe(false)
  })
})

test('the private test key belongs to the example key', () => {
  const key = createPublicKey(createPrivateKey({ key: testKey, format: 'jwk' }))
  const { kty, crv, x, y } = answer.value.key
  expect(key.export({ format: 'jwk' })).toEqual({ kty, crv, x, y })
})
