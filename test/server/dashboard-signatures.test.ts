import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SandboxTamper } from '../../generated/sandbox/types.ts'
import { currentKey } from '../../src/server/webhooks/key.ts'
import { signBody } from '../../src/server/webhooks/sign.ts'
import { forgeSignature } from '../../src/server/webhooks/tamper.ts'
import { verifyWebhook } from '../../src/webhooks/index.ts'
import { type DashboardBrowser, signIn } from '../support/dashboard-browser.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'
import { inContext } from '../support/transactions-fixtures.ts'

const at = '2026-03-16T14:05:09Z'
const iat = Date.parse(at) / 1000
const tampers: SandboxTamper[] = [
  'bad_signature',
  'unknown_key',
  'stale',
  'future',
  'altered_body',
  'alg_none',
]
const body = '{\n  "webhook_type": "ITEM",\n  "webhook_code": "ERROR"\n}'

let service: TestService
let tenant: Tenant
let browser: DashboardBrowser
beforeAll(async () => {
  service = await startService()
  tenant = await service.tenant()
  browser = await signIn(service, { client_id: tenant.clientId, role: 'developer' })
})
afterAll(() => service.close())

const keyOf = (one: Tenant) => inContext(service, one, currentKey)
const sign = async (text = body, time = iat) => signBody(text, await keyOf(tenant), time)

/** What is said of a header and a body: those checks that do not pass, and the rest. */
async function verify(header: string, given: { body?: string; received_at?: string } = {}) {
  const answer = await browser.ask('dashboardSignatureVerify', { header, body, ...given })
  const others = answer.checks.filter(({ result }) => result !== 'passed')
  const found = others.map(({ check, result, reason }) => [check, reason ?? result])
  return { ...answer, found: Object.fromEntries(found) }
}

describe('dashboardSignatureVerify', () => {
  test('passes what the service signs, and shows what it says', async () => {
    const { kid } = await keyOf(tenant)
    const answer = await verify(await sign(), { received_at: at })
    const hash = createHash('sha256').update(body).digest('hex')
    expect(answer).toMatchObject({ verified: true, found: {}, signed_at: at, body_sha256: hash })
    expect(answer.key).toMatchObject({ kid, crv: 'P-256', expired_at: null })
    expect(JSON.parse(answer.token_header ?? '')).toEqual({ alg: 'ES256', kid, typ: 'JWT' })
    expect(JSON.parse(answer.token_claims ?? '')).toEqual({ iat, request_body_sha256: hash })
  })

  test('does not check the age unless it is told when the webhook was received', async () => {
    expect(await verify(await sign())).toMatchObject({
      verified: true,
      found: { age: 'not_checked' },
    })
  })

  test.each([
    ['2026-03-16T14:10:09Z', {}],
    ['2026-03-16T14:10:10Z', { age: 'stale' }],
    ['2026-03-16T14:04:39Z', {}],
    ['2026-03-16T14:04:38Z', { age: 'future' }],
  ])('judges the age at %s', async (received_at, found) => {
    const answer = await verify(await sign(), { received_at })
    expect(answer).toMatchObject({ found, verified: Object.keys(found).length === 0 })
  })

  test.each([
    ['bad_signature', { signature: 'bad_signature' }],
    ['unknown_key', { key: 'unknown_key', signature: 'not_checked', key_time: 'not_checked' }],
    ['stale', { age: 'stale' }],
    ['future', { age: 'future' }],
    ['altered_body', { body: 'altered_body' }],
    [
      'alg_none',
      {
        token: 'wrong_algorithm',
        key: 'not_checked',
        signature: 'not_checked',
        claims: 'not_checked',
        key_time: 'not_checked',
        age: 'not_checked',
        body: 'not_checked',
      },
    ],
  ] as const)('says what is wrong with a forged one: %s', async (tamper, found) => {
    const header = forgeSignature(tamper, body, await keyOf(tenant), iat)
    const answer = await verify(header, { received_at: at })
    expect(answer).toMatchObject({ found, verified: false })
    // The parts are shown, whoever has made them.
    expect(JSON.parse(answer.token_header ?? '')).toMatchObject({ typ: 'JWT' })
  })

  test('fails where the published verifier fails, for its first reason', async () => {
    const key = await keyOf(tenant)
    const { data } = await tenant.api.webhookVerificationKeyGet({ key_id: key.kid })
    for (const tamper of tampers) {
      const header = forgeSignature(tamper, body, key, iat)
      const { checks } = await verify(header, { received_at: at })
      const first = checks.find(({ result }) => result === 'failed')?.reason
      const headers = { 'service-verification': header }
      const keys = data ? [data.key] : []
      const refused = verifyWebhook(body, headers, { keys, now: () => Date.parse(at) })
      await expect(refused).rejects.toMatchObject({ reason: first })
    }
  })

  test.each([
    ['a text', 'no token'],
    ['two tokens', 'a.b.c,d.e.f'],
  ])('shows nothing of %s', async (_, header) => {
    const answer = await verify(header)
    const nothing = { token_header: null, token_claims: null, signed_at: null, key: null }
    expect(answer).toMatchObject({ ...nothing, verified: false })
  })

  test('finds the header among others, in any case', async () => {
    const token = await sign()
    for (const name of ['Service-Verification', 'service-verification']) {
      const lines = `Host: example.com\r\n${name}: ${token}\r\nAccept: */*`
      expect(await verify(lines, { received_at: at })).toMatchObject({ verified: true })
    }
    const twice = `Service-Verification: ${token}\nService-Verification: ${token}`
    expect((await verify(twice)).found).toMatchObject({ token: 'repeated_header' })
  })

  test('knows no key of another client', async () => {
    const other = await service.tenant()
    const header = signBody(body, await keyOf(other), iat)
    expect(await verify(header)).toMatchObject({ key: null, found: { key: 'unknown_key' } })
  })

  test('says that a body is no event, and that a time lies outside of the calendar', async () => {
    const text = 'thanks'
    const answer = await verify(await sign(text, 10 ** 15), { body: text })
    expect(answer).toMatchObject({ found: { event: 'malformed_body' }, signed_at: null })
  })

  test('says that the key had expired', async () => {
    const own = await service.tenant()
    const user = await signIn(service, { client_id: own.clientId, role: 'developer' })
    const key = await keyOf(own)
    await own.control('sandboxWebhookRotateKey', {})
    const header = signBody(body, key, Math.floor(Date.now() / 1000) + 60)
    const { checks } = await user.ask('dashboardSignatureVerify', { header, body })
    expect(checks.find(({ check }) => check === 'key_time')).toMatchObject({
      result: 'failed',
      reason: 'expired_key',
    })
  })
})
