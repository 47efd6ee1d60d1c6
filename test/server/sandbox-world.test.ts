import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startService, type TestService } from '../support/service.ts'

let service: TestService

beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const wallet = { iso_currency_code: 'GBP' } as const

describe('sandboxClockAdvance', () => {
  test("moves the client's own clock, and no other's", async () => {
    const [tenant, other] = [await service.tenant(), await service.tenant()]
    const before = Date.parse((await tenant.control('sandboxClockGet', {})).now)
    const { now } = await tenant.control('sandboxClockAdvance', { seconds: 86_400 })
    expect(Date.parse(now) - before).toBeGreaterThanOrEqual(86_400_000)
    const others = Date.parse((await other.control('sandboxClockGet', {})).now)
    expect(others - before).toBeLessThan(86_400_000)
  })

  test('moves to a moment, and rejects one that has passed', async () => {
    const tenant = await service.tenant()
    const to = '2100-01-01T00:00:00Z'
    const { now } = await tenant.control('sandboxClockGet', {})
    const far = await tenant.post('/sandbox/clock/advance', { to })
    expect(far.body['error_code']).toBe('INVALID_FIELD')
    const soon = new Date(Date.parse(now) + 3_600_000).toISOString()
    await tenant.control('sandboxClockAdvance', { to: soon })
    const back = await tenant.post('/sandbox/clock/advance', { to: now })
    expect([back.status, back.body['error_code']]).toEqual([400, 'INVALID_FIELD'])
  })
})

describe('sandboxErrorInject', () => {
  test('answers the error as often as asked, then the operation again', async () => {
    const tenant = await service.tenant()
    const operation = '/wallet/create'
    await tenant.control('sandboxErrorInject', { operation, error_code: 'INVALID_FIELD', times: 2 })
    const statuses = []
    for (let call = 0; call < 3; call += 1) {
      statuses.push((await tenant.post(operation, wallet)).status)
    }
    expect(statuses).toEqual([400, 400, 200])
  })

  test('uses faults of one operation in the order in which they came', async () => {
    const tenant = await service.tenant()
    for (const error_code of ['INTERNAL_SERVER_ERROR', 'RATE_LIMIT', 'PLANNED_MAINTENANCE']) {
      await tenant.control('sandboxErrorInject', { operation: '/wallet/list', error_code })
    }
    const statuses = []
    for (let call = 0; call < 4; call += 1)
      statuses.push((await tenant.post('/wallet/list', {})).status)
    expect(statuses).toEqual([500, 429, 503, 200])
  })

  test('hits one of many calls at the same time', async () => {
    const tenant = await service.tenant()
    const fault = { operation: '/wallet/list', error_code: 'INTERNAL_SERVER_ERROR' }
    await tenant.control('sandboxErrorInject', fault)
    const calls = Array.from({ length: 8 }, () => tenant.post('/wallet/list', {}))
    const statuses = (await Promise.all(calls)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 500)).toHaveLength(1)
  })

  test('hits no other client', async () => {
    const [tenant, other] = [await service.tenant(), await service.tenant()]
    await tenant.control('sandboxErrorInject', {
      operation: '/wallet/list',
      error_code: 'RATE_LIMIT',
    })
    expect((await other.post('/wallet/list', {})).status).toBe(200)
    const limited = await tenant.post('/wallet/list', {})
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '60'])
  })

  test('carries an enum value and a field that no contract knows', async () => {
    const tenant = await service.tenant()
    await tenant.control('sandboxErrorInject', { operation: '/wallet/create', unknown_enum: true })
    const { status, body } = await tenant.post('/wallet/create', wallet)
    expect(status).toBe(200)
    expect(body['x_unknown_field']).toBe(true)
    expect(JSON.stringify(body)).toContain('VALUE_OF_A_NEWER_VERSION')
  })

  test('is taken back by clear', async () => {
    const tenant = await service.tenant()
    await tenant.control('sandboxErrorInject', {
      operation: '/wallet/list',
      error_code: 'RATE_LIMIT',
    })
    await tenant.control('sandboxErrorClear', {})
    expect((await tenant.post('/wallet/list', {})).status).toBe(200)
  })

  test.each([
    ['a path that no operation has', { operation: '/wallet/burn', error_code: 'RATE_LIMIT' }],
    [
      'a code that the operation does not list',
      { operation: '/wallet/get', error_code: 'NO_ACCOUNTS' },
    ],
    ['two faults at once', { operation: '/wallet/get', drop: true, delay_ms: 5 }],
  ])('rejects %s', async (_case, body) => {
    const tenant = await service.tenant()
    const answer = await tenant.post('/sandbox/error/inject', body)
    expect([answer.status, answer.body['error_code']]).toEqual([400, 'INVALID_FIELD'])
  })
})

describe('sandboxRequestList', () => {
  test("lists the client's own calls, the newest first, in pages", async () => {
    const [tenant, other] = [await service.tenant(), await service.tenant()]
    const first = await tenant.post('/wallet/create', wallet)
    await tenant.post('/wallet/get', { wallet_id: 'unknown' })
    await other.post('/wallet/list', {})
    const page = await tenant.control('sandboxRequestList', { count: 1 })
    expect(page.requests).toMatchObject([
      { path: '/wallet/get', status: 400, error_code: 'INVALID_FIELD' },
    ])
    const next = await tenant.control('sandboxRequestList', { cursor: page.next_cursor ?? '' })
    expect(next.requests).toMatchObject([
      { path: '/wallet/create', status: 200, request_id: first.body['request_id'] },
    ])
    expect(next.next_cursor).toBeNull()
  })

  test('rejects a cursor of another list', async () => {
    const tenant = await service.tenant()
    const cursor = Buffer.from('webhooks:1').toString('base64url')
    const { body } = await tenant.post('/sandbox/request/list', { cursor })
    expect(body['error_code']).toBe('INVALID_FIELD')
  })
})

describe('sandboxClientCreate', () => {
  test('makes a client that may do everything but what has to be granted', async () => {
    const tenant = await service.tenant()
    const made = await tenant.control('sandboxClientCreate', {})
    const fresh = service.tenantOf(made.client_id, made.secret)
    expect((await fresh.post('/wallet/list', {})).status).toBe(200)
    const numbers = { account_number: '12345678', routing_number: '021000021' }
    const body = { ...numbers, account_type: 'checking' }
    const rejected = await fresh.post('/transfer/migrate_account', body)
    expect(rejected.body['error_code']).toBe('UNAUTHORIZED_ROUTE_ACCESS')
  })

  test('makes one that may do what was enabled, and not what was disabled', async () => {
    const tenant = await service.tenant()
    const made = await tenant.control('sandboxClientCreate', {
      enabled: ['transfer_migrate', 'exchange'],
      disabled: ['exchange'],
    })
    const fresh = service.tenantOf(made.client_id, made.secret)
    const token = await fresh.post('/oauth/token', {
      grant_type: 'client_credentials',
      scope: 'exchange',
    })
    expect(token.body['error']).toBe('invalid_scope')
    const numbers = { account_number: '12345678', routing_number: '021000021' }
    const body = { ...numbers, account_type: 'checking' }
    expect((await fresh.post('/transfer/migrate_account', body)).status).toBe(200)
  })
})

test('the sandbox API is absent in production', async () => {
  const production = await startService({
    settings: { environment: 'production', reportDelayMs: 0 },
  })
  const tenant = await production.tenant()
  const { status, body } = await tenant.post('/sandbox/clock/get', {})
  await production.close()
  expect([status, body['error_code']]).toEqual([404, 'NOT_FOUND'])
})
