import { decodeProtectedHeader } from 'jose'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { webhooks } from '#contract/operations.ts'
import type {
  SandboxItemErrorCode,
  SandboxItemFireWebhookRequest,
} from '../../generated/sandbox/types.ts'
import {
  currentVersion,
  eachWebhook,
  readBundle,
  resolve,
  type Schema,
} from '../../scripts/contract/contract.ts'
import { compilerOf } from '../../src/contract/form-compiler.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'
import { insertTestItem, type Linked, settle } from '../support/transactions-fixtures.ts'
import { judgeAll } from '../support/webhook-judge.ts'

let service: TestService
const contract = readBundle()
const compiler = compilerOf(currentVersion, 'exact')
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

type Fired = Omit<SandboxItemFireWebhookRequest, 'access_token' | 'client_id' | 'secret'>

const fire = (body: Fired) =>
  tenant.control('sandboxItemFireWebhook', { access_token: item.access_token, ...body })
const list = async () => (await tenant.control('sandboxWebhookList', {})).webhooks
const advance = (seconds: number) => tenant.control('sandboxClockAdvance', { seconds })

/** What a webhook's body has that the contract does not, or the other way round. */
function misfits(body: string): unknown {
  const { webhook_type, webhook_code } = JSON.parse(body)
  const described = eachWebhook(contract).find(
    ({ name }) => name === `${webhook_type}.${webhook_code}`,
  )
  const fits = compiler.compile(described?.schema as Schema)
  return fits(JSON.parse(body)) ? [] : fits.errors
}

const names = Object.keys(webhooks).map((name) => name.split('.') as [string, string])

describe('sandboxItemFireWebhook', () => {
  test.each(names)('sends %s %s as the contract has it', async (type, code) => {
    const [webhook_type, webhook_code] = [type, code] as unknown as [never, never]
    await fire({ webhook_type, webhook_code })
    const [webhook] = await receiver.arrivals(1)
    const body = JSON.parse(webhook!.body.toString())
    expect(body).toMatchObject({ webhook_type, webhook_code, environment: 'sandbox' })
    expect(misfits(webhook!.body.toString())).toEqual([])
    expect(await judgeAll(tenant, [webhook!])).toEqual([null])
  })

  test.each([
    ['DEFAULT_UPDATE', 'TRANSACTIONS'],
    ['NEW_ACCOUNTS_AVAILABLE', 'ITEM'],
    ['ERROR', 'ITEM'],
  ] as const)('takes the type of %s from the code', async (webhook_code, type) => {
    await fire({ webhook_code, webhook_type: null, error_code: null, tamper: null })
    await settle(tenant)
    expect(await list()).toMatchObject([{ webhook_type: type, webhook_code }])
  })

  const withErrors = eachWebhook(contract)
    .filter(({ schema }) => 'error' in (resolve(contract, schema).properties ?? {}))
    .map(({ name }) => name.split('.') as [string, string])
  test.each(withErrors)('lets %s %s carry an error', async (type, code) => {
    const [webhook_type, webhook_code] = [type, code] as unknown as [never, never]
    await fire({ webhook_type, webhook_code, error_code: 'ITEM_LOGIN_REQUIRED' })
    const [webhook] = await receiver.arrivals(1)
    const text = webhook!.body.toString()
    expect(misfits(text)).toEqual([])
    expect(JSON.stringify(JSON.parse(text).error)).toContain('ITEM_LOGIN_REQUIRED')
  })

  const codes: readonly SandboxItemErrorCode[] = [
    'ITEM_NOT_FOUND',
    'NO_ACCOUNTS',
    'PRODUCT_NOT_READY',
    'PRODUCT_NOT_ENABLED',
    'PRODUCTS_NOT_SUPPORTED',
    'USER_PERMISSION_REVOKED',
    'INSTITUTION_DOWN',
    'UNSUPPORTED_RESPONSE',
  ]
  test.each(codes)('carries %s as an Item has it', async (error_code) => {
    await fire({ webhook_code: 'NEW_ACCOUNTS_AVAILABLE', error_code })
    const [webhook] = await receiver.arrivals(1)
    const { error } = JSON.parse(webhook!.body.toString())
    expect(misfits(webhook!.body.toString())).toEqual([])
    expect(error).toMatchObject({ error_code, status: expect.any(Number) })
    expect(error.error_type).toMatch(/^(ITEM_ERROR|INSTITUTION_ERROR|INVALID_INPUT)$/)
  })

  test.each([
    ['bad_signature', 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED'],
    ['unknown_key', 'unknown key'],
    ['stale', 'ERR_JWT_EXPIRED'],
    ['future', 'ERR_JWT_CLAIM_VALIDATION_FAILED'],
    ['altered_body', 'hash'],
    ['alg_none', 'algorithm'],
  ] as const)('sends what a receiver must reject: %s', async (tamper, reason) => {
    await fire({ webhook_code: 'NEW_ACCOUNTS_AVAILABLE', tamper })
    await fire({ webhook_code: 'NEW_ACCOUNTS_AVAILABLE' })
    await settle(tenant)
    const arrived = await receiver.arrivals(2)
    const reasons = await judgeAll(tenant, arrived)
    expect(new Set(reasons)).toEqual(new Set([reason, null]))
    // Nothing else about it is suspicious.
    expect(arrived[0]!.body.equals(arrived[1]!.body)).toBe(true)
  })

  test('rejects a code that is not described, and a type that does not go with the code', async () => {
    const { access_token } = item
    for (const body of [
      { webhook_code: 'LOGIN_REPEATED' },
      { webhook_code: 'NEW_ACCOUNTS_AVAILABLE', webhook_type: 'ASSETS' },
      { webhook_code: 'INITIAL_UPDATE', webhook_type: 'IDENTITY' },
      { webhook_code: 'DEFAULT_UPDATE', webhook_type: 'ITEM' },
      { webhook_code: 'DEFAULT_UPDATE', tamper: 'upside_down' },
      { webhook_code: 'DEFAULT_UPDATE', error_code: 'NO_SUCH_ERROR' },
    ]) {
      const answer = await tenant.post('/sandbox/item/fire_webhook', { access_token, ...body })
      expect([answer.status, answer.body['error_code']]).toEqual([400, 'INVALID_FIELD'])
    }
    expect(await list()).toEqual([])
  })

  test('rejects an Item without an address, one of another client, and one that is none', async () => {
    const silent = await insertTestItem(service, tenant, { webhook: null })
    const other = await insertTestItem(service, await service.tenant())
    const codeFor = async (access_token: string) => {
      const body = { access_token, webhook_code: 'DEFAULT_UPDATE' }
      return (await tenant.post('/sandbox/item/fire_webhook', body)).body['error_code']
    }
    expect(await codeFor(silent.access_token)).toBe('SANDBOX_WEBHOOK_INVALID')
    expect(await codeFor(other.access_token)).toBe('INVALID_ACCESS_TOKEN')
    expect(await codeFor('access-sandbox-00000000-0000-4000-8000-00000000ffff')).toBe(
      'INVALID_ACCESS_TOKEN',
    )
  })

  test('counts nothing new where it tells that the update failed', async () => {
    await fire({ webhook_code: 'DEFAULT_UPDATE', error_code: 'INSTITUTION_DOWN' })
    await fire({ webhook_code: 'DEFAULT_UPDATE' })
    const counts = (await list()).map(({ body }) => JSON.parse(body).new_transactions)
    expect(counts).toEqual([1, 0])
  })
})

describe('sandboxWebhookList', () => {
  test('pages from the newest to the oldest', async () => {
    const codes = ['INITIAL_UPDATE', 'HISTORICAL_UPDATE', 'DEFAULT_UPDATE'] as const
    for (const webhook_code of codes) await fire({ webhook_code })
    await settle(tenant)
    const first = await tenant.control('sandboxWebhookList', { count: 2 })
    expect(first.webhooks.map(({ webhook_code }) => webhook_code)).toEqual([
      'DEFAULT_UPDATE',
      'HISTORICAL_UPDATE',
    ])
    expect(first.webhooks.map(({ attempts }) => attempts.length)).toEqual([1, 1])
    const cursor = first.next_cursor
    const second = await tenant.control('sandboxWebhookList', { count: 2, cursor })
    expect(second.webhooks.map(({ webhook_code }) => webhook_code)).toEqual(['INITIAL_UPDATE'])
    expect(second.next_cursor).toBeNull()
  })

  test('keeps its position while newer ones come', async () => {
    await fire({ webhook_code: 'INITIAL_UPDATE' })
    await fire({ webhook_code: 'HISTORICAL_UPDATE' })
    const { next_cursor } = await tenant.control('sandboxWebhookList', { count: 1 })
    await fire({ webhook_code: 'DEFAULT_UPDATE' })
    const next = await tenant.control('sandboxWebhookList', { count: 1, cursor: next_cursor })
    expect(next.webhooks).toMatchObject([{ webhook_code: 'INITIAL_UPDATE' }])
  })

  test('rejects a cursor of another list', async () => {
    for (const text of ['requests:1', 'webhooks:', 'webhooks:01', 'nothing']) {
      const cursor = Buffer.from(text).toString('base64url')
      const { status, body } = await tenant.post('/sandbox/webhook/list', { cursor })
      expect([status, body['error_code']]).toEqual([400, 'INVALID_FIELD'])
    }
  })

  test('shows nothing of other clients', async () => {
    await fire({ webhook_code: 'DEFAULT_UPDATE' })
    const other = await service.tenant()
    expect(await other.control('sandboxWebhookList', {})).toMatchObject({
      webhooks: [],
      next_cursor: null,
    })
  })

  test('dates attempts by the clock of its client', async () => {
    await advance(86_400)
    await fire({ webhook_code: 'DEFAULT_UPDATE' })
    const { now } = await advance(0)
    const [webhook] = await list()
    const early = Date.parse(now) - Date.parse(webhook!.attempts[0]!.at)
    expect([early >= 0, early < 60_000]).toEqual([true, true])
  })
})

describe('sandboxWebhookRedeliver', () => {
  const redeliver = async () => {
    const [webhook] = await list()
    await tenant.control('sandboxWebhookRedeliver', { webhook_id: webhook!.webhook_id })
  }

  test('sends the same body again, signed again', async () => {
    await fire({ webhook_code: 'DEFAULT_UPDATE' })
    await settle(tenant)
    await redeliver()
    const [first, second] = await receiver.arrivals(2)
    expect(second!.body.equals(first!.body)).toBe(true)
    expect(second!.headers['service-verification']).not.toBe(first!.headers['service-verification'])
    expect(await judgeAll(tenant, [first!, second!])).toEqual([null, null])
    await settle(tenant)
    expect(await list()).toMatchObject([{ status: 'delivered', attempts: [{}, {}] }])
  })

  test('delivers what had failed', async () => {
    receiver.behave(500)
    await fire({ webhook_code: 'DEFAULT_UPDATE' })
    await settle(tenant)
    await advance(86_400)
    expect(await list()).toMatchObject([{ status: 'failed', attempts: [{}, {}] }])
    receiver.behave('hang')
    await redeliver()
    const [, , third] = await receiver.arrivals(3)
    expect(await list()).toMatchObject([{ status: 'pending' }])
    third!.answer(200)
    await settle(tenant)
    expect(await list()).toMatchObject([{ status: 'delivered', attempts: [{}, {}, {}] }])
  })

  test('makes one attempt, whose failure changes nothing', async () => {
    await fire({ webhook_code: 'DEFAULT_UPDATE' })
    await settle(tenant)
    receiver.behave(500)
    await redeliver()
    await settle(tenant)
    expect(await list()).toMatchObject([{ status: 'delivered', attempts: [{}, {}] }])
    await advance(86_400)
    expect(receiver.received).toHaveLength(2)
  })

  test('makes an attempt for each time that it was asked, also while one is under way', async () => {
    receiver.behave('hang')
    await fire({ webhook_code: 'DEFAULT_UPDATE' })
    const [first] = await receiver.arrivals(1)
    await redeliver()
    await redeliver()
    receiver.behave(200)
    first!.answer(200)
    await receiver.arrivals(3)
    await settle(tenant)
    expect(await list()).toMatchObject([{ status: 'delivered', attempts: [{}, {}, {}] }])
    expect(receiver.received).toHaveLength(3)
  })

  test('keeps a tampered delivery tampered', async () => {
    await fire({ webhook_code: 'DEFAULT_UPDATE', tamper: 'stale' })
    await settle(tenant)
    await redeliver()
    const arrived = await receiver.arrivals(2)
    expect(await judgeAll(tenant, arrived)).toEqual(['ERR_JWT_EXPIRED', 'ERR_JWT_EXPIRED'])
  })

  test('rejects an unknown webhook, and that of another client', async () => {
    await fire({ webhook_code: 'DEFAULT_UPDATE' })
    const { webhook_id } = (await list())[0]!
    const other = await service.tenant()
    for (const [who, id] of [
      [other, webhook_id],
      [tenant, '00000000-0000-4000-8000-000000000000'],
    ] as const) {
      const { status, body } = await who.post('/sandbox/webhook/redeliver', { webhook_id: id })
      expect([status, body['error_code']]).toEqual([400, 'INVALID_FIELD'])
    }
  })
})

describe('sandboxWebhookRotateKey', () => {
  const rotate = async () => (await tenant.control('sandboxWebhookRotateKey', {})).key_id
  const keyOf = async (key_id: string) =>
    (await tenant.api.webhookVerificationKeyGet({ key_id })).data!.key
  const kids = () =>
    receiver.received.map(
      ({ headers }) => decodeProtectedHeader(String(headers['service-verification'])).kid,
    )

  test('signs with the new key from then on, while what the old one signed still holds', async () => {
    await fire({ webhook_code: 'DEFAULT_UPDATE' })
    await settle(tenant)
    const key_id = await rotate()
    await fire({ webhook_code: 'DEFAULT_UPDATE' })
    await settle(tenant)
    const [old] = kids() as [string]
    expect(kids()).toEqual([old, key_id])
    expect(old).not.toBe(key_id)
    expect(await judgeAll(tenant, receiver.received)).toEqual([null, null])
    const [retired, current] = [await keyOf(old), await keyOf(key_id)]
    expect(retired.expired_at).toBeGreaterThanOrEqual(retired.created_at)
    expect(current.expired_at).toBeNull()
  })

  test('leaves no moment in which a signature does not hold', async () => {
    for (let turn = 0; turn < 10; turn += 1) {
      await Promise.all([fire({ webhook_code: 'DEFAULT_UPDATE' }), rotate()])
    }
    await settle(tenant)
    const arrived = await receiver.arrivals(10)
    expect(await judgeAll(tenant, arrived)).toEqual(Array(10).fill(null))
  })

  test('signs a retry with the key of its time', async () => {
    receiver.behave(500)
    await fire({ webhook_code: 'DEFAULT_UPDATE' })
    await settle(tenant)
    const key_id = await rotate()
    receiver.behave(200)
    await advance(30)
    expect(kids()[1]).toBe(key_id)
  })

  test('keeps every retired key, with one that signs', async () => {
    const ids = [await rotate(), await rotate(), await rotate()]
    const keys = await Promise.all(ids.map(keyOf))
    expect(keys.map(({ expired_at }) => expired_at === null)).toEqual([false, false, true])
    expect(new Set(keys.map(({ x }) => x)).size).toBe(3)
  })
})
