import { createClient } from '../src/index.ts'
import { verifyWebhook } from '../src/webhooks/index.ts'

// Verifies a signed webhook by the header of the library, with a key that the mock's operation has.

const [, , baseUrl = ''] = process.argv
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const pair = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
const { x = '', y = '' } = await crypto.subtle.exportKey('jwk', pair.publicKey)
const body = JSON.stringify({
  webhook_type: 'LOAN',
  webhook_code: 'OVERDUE',
  loan_id: 'loan_82mfx1',
  due_date: '2026-04-02',
})
const hash = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(body))).toString('hex')
const head = encode({ alg: 'ES256', kid: 'key-1', typ: 'JWT' })
const claims = encode({ iat: Math.floor(Date.now() / 1000), request_body_sha256: hash })
const signed = `${head}.${claims}`
const signature = await crypto.subtle.sign(algorithm, pair.privateKey, Buffer.from(signed))
const token = `${signed}.${Buffer.from(signature).toString('base64url')}`

const keys = [{ kid: 'key-1', x, y }]
const client = createClient({ baseUrl, clientId: 'branch-desk', secret: 'branch-desk-secret' })
const reasonOf = (error: { reason?: string }) => error.reason

const event = await verifyWebhook(body, { 'library-signature': token }, { keys })
const results = {
  event,
  // The key of the mock is another one.
  ofMock: await verifyWebhook(body, { 'library-signature': token }, { client }).catch(reasonOf),
  otherHeader: await verifyWebhook(body, { 'service-verification': token }, { keys }).catch(
    reasonOf,
  ),
  otherBody: await verifyWebhook(`${body} `, { 'library-signature': token }, { keys }).catch(
    reasonOf,
  ),
}
console.log(JSON.stringify(results))
