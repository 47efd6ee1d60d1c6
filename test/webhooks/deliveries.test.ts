import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { webhooks } from '#contract/operations.ts'
import type { SandboxTamper } from '../../generated/sandbox/types.ts'
import { webhooks as undatedWebhooks } from '../../generated/undated.ts'
import { verifyWebhook, type WebhookName } from '../../src/webhooks/index.ts'
import { type Received, type Receiver, startReceiver } from '../support/receiver.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'
import { insertTestItem, type Linked, settle } from '../support/transactions-fixtures.ts'

// What the service posts over HTTP, verified as its receiver does it.

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

let receiver: Receiver
let tenant: Tenant
let item: Linked
beforeEach(async () => {
  receiver = await startReceiver()
  tenant = await service.tenant()
  item = await insertTestItem(service, tenant, { webhook: receiver.url })
})
afterEach(() => receiver.close())

const verify = ({ body, headers }: Received, client = tenant.api) =>
  verifyWebhook(body, headers, { client })

/** Why each webhook is rejected; null for one that is verified. */
const verdicts = (arrived: readonly Received[]): Promise<(string | null)[]> =>
  Promise.all(
    arrived.map((webhook) =>
      verify(webhook).then(
        () => null,
        ({ reason }) => reason,
      ),
    ),
  )

async function fire(name: WebhookName, tamper?: SandboxTamper): Promise<void> {
  // The two halves of a name are what the endpoint takes; its type does not pair them.
  const [webhook_type, webhook_code] = name.split('.') as [never, never]
  const { access_token } = item
  await tenant.control('sandboxItemFireWebhook', {
    access_token,
    webhook_type,
    webhook_code,
    ...(tamper ? { tamper } : {}),
  })
}

const news = 'ITEM.NEW_ACCOUNTS_AVAILABLE'
const redeliver = async () => {
  const { webhooks: listed } = await tenant.control('sandboxWebhookList', {})
  await tenant.control('sandboxWebhookRedeliver', { webhook_id: listed[0]!.webhook_id })
}

const names = Object.keys({ ...webhooks, ...undatedWebhooks }) as WebhookName[]

describe('a delivery of the service', () => {
  test.each(names)('is verified: %s', async (name) => {
    await fire(name)
    const [webhook] = await receiver.arrivals(1)
    const event = await verify(webhook!)
    expect(`${event.webhook_type}.${event.webhook_code}`).toBe(name)
    expect(event).toEqual(JSON.parse(webhook!.body.toString()))
  })

  const tampers: Record<SandboxTamper, string> = {
    bad_signature: 'bad_signature',
    unknown_key: 'unknown_key',
    stale: 'stale',
    future: 'future',
    altered_body: 'altered_body',
    alg_none: 'wrong_algorithm',
  }
  test.each(Object.entries(tampers))(
    'is rejected when tampered with: %s',
    async (tamper, reason) => {
      await fire(news, tamper as SandboxTamper)
      await settle(tenant)
      await redeliver()
      expect(await verdicts(await receiver.arrivals(2))).toEqual([reason, reason])
      await fire(news)
      expect(await verdicts((await receiver.arrivals(3)).slice(2))).toEqual([null])
    },
  )

  test('is verified again when it is sent again', async () => {
    await fire(news)
    await settle(tenant)
    await redeliver()
    const [first, second] = await receiver.arrivals(2)
    expect(await verdicts([first!, second!])).toEqual([null, null])
    expect(second!.body).toEqual(first!.body)
  })

  test('is verified across a rotation of the key, with one call for each key', async () => {
    await fire(news)
    expect(await verdicts(await receiver.arrivals(1))).toEqual([null])
    await tenant.control('sandboxWebhookRotateKey', {})
    await fire(news)
    const arrived = await receiver.arrivals(2)
    const [old, current] = arrived as [Received, Received]
    expect(await verdicts([current, current])).toEqual([null, null])
    expect(await verdicts([old, old, current])).toEqual([null, null, null])
    const { requests } = await tenant.control('sandboxRequestList', {})
    const lookups = requests.filter(({ path }) => path === '/webhook_verification_key/get')
    // The old key was read once more, since a newer one had come.
    expect(lookups).toHaveLength(3)
  })

  test('is rejected when its key had been retired before it was signed', async () => {
    await fire(news)
    const [webhook] = await receiver.arrivals(1)
    await tenant.control('sandboxWebhookRotateKey', {})
    const key_id = keyIdOf(webhook!)
    const { data } = await tenant.api.webhookVerificationKeyGet({ key_id })
    const expired_at = data!.key.expired_at!
    const retired = { ...data!.key, expired_at: expired_at - 3600 }
    const verified = verifyWebhook(webhook!.body, webhook!.headers, { keys: [retired] })
    await expect(verified).rejects.toMatchObject({ reason: 'expired_key' })
  })

  test('to another client is rejected', async () => {
    const stranger = await service.tenant()
    await fire(news)
    const [webhook] = await receiver.arrivals(1)
    await expect(verify(webhook!, stranger.api)).rejects.toMatchObject({ reason: 'unknown_key' })
  })

  test('is no forgery when the credentials of the receiver are wrong', async () => {
    await fire(news)
    const [webhook] = await receiver.arrivals(1)
    const { api } = service.tenantOf(tenant.clientId, 'not-the-secret')
    const error = await verify(webhook!, api).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ reason: 'key_unavailable', status: 503 })
    expect(error).toMatchObject({ cause: { error_code: 'INVALID_API_KEYS' } })
  })

  test('is neither verified nor rejected while its key cannot be fetched', async () => {
    const operation = '/webhook_verification_key/get'
    const error_code = 'INTERNAL_SERVER_ERROR'
    await tenant.control('sandboxErrorInject', { operation, error_code, times: 10 })
    await fire(news)
    const arrived = await receiver.arrivals(1)
    expect(await verdicts(arrived)).toEqual(['key_unavailable'])
    await tenant.control('sandboxErrorClear', {})
    expect(await verdicts(arrived)).toEqual([null])
  })
})

const keyIdOf = ({ headers }: Received): string => {
  const [head = ''] = String(headers['service-verification']).split('.')
  return JSON.parse(Buffer.from(head, 'base64url').toString()).kid
}
