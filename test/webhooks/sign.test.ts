import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { importJWK, jwtVerify } from 'jose'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { root } from '../../scripts/contract/contract.ts'
import { signBody } from '../../src/server/webhooks/sign.ts'

const read = (file: string) => parse(readFileSync(join(root, file), 'utf8'))
const { example: published } = read('openapi/components/parameters/ServiceVerification.yaml')
const { newAccountsAvailableWebhook } = read('openapi/examples/items/webhooks.yaml')
const jwk = JSON.parse(readFileSync(join(root, 'test/support/webhook-key.json'), 'utf8'))

const body = JSON.stringify(newAccountsAvailableWebhook.value, null, 2)
const key = { kid: jwk.kid, privateKey: createPrivateKey({ key: jwk, format: 'jwk' }) }
const publishedAt = 1773669909
const publicKey = { ...jwk, d: undefined, expired_at: null }

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
})
