import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startService, type TestService } from '../support/service.ts'

let service: TestService

beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const malformed = { error_type: 'INVALID_REQUEST', error_code: 'INVALID_BODY' }
const form = { 'Content-Type': 'application/x-www-form-urlencoded' }

/** JSON of that many levels, the innermost a number. */
const nested = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`

const eventWith = (content: string): string =>
  `{"request_trust_index":true,"event":{"timestamp":"2026-03-01T00:00:00Z","app_visit":${content}}}`

describe('text that not every store can hold', () => {
  test.each([
    ['U+0000', 'borrower\\u0000'],
    ['the first half of a surrogate pair', 'borrower\\ud83d'],
    ['the second half of one', '\\ude00borrower'],
  ])('is rejected: %s', async (_case, text) => {
    const tenant = await service.tenant()
    const answer = await tenant.post('/user/create', `{"client_user_id":"${text}"}`)
    expect([answer.status, answer.body]).toEqual([400, expect.objectContaining(malformed)])
  })

  test.each([
    ['in the name of a field', '{"event":{"a\\u0000":1}}'],
    ['in content that is free', eventWith('{"note":"\\u0000"}')],
    ['in the name of a client', '{"client_id":"\\u0000","event":{}}'],
  ])('is rejected %s', async (_case, body) => {
    const { status, body: answer } = await (await service.tenant()).post(
      '/protect/event/send',
      body,
    )
    expect([status, answer]).toEqual([400, expect.objectContaining(malformed)])
  })

  test('is rejected by the token operations in their own words', async () => {
    const tenant = await service.tenant()
    const asJson = await tenant.post('/oauth/revoke', '{"token":"\\u0000"}')
    const asForm = await tenant.post('/oauth/revoke', 'token=%00', form)
    expect([asJson.status, asJson.body['error']]).toEqual([400, 'invalid_request'])
    expect([asForm.status, asForm.body['error']]).toEqual([400, 'invalid_request'])
  })

  test('is no client id of HTTP Basic', async () => {
    const basic = `Basic ${Buffer.from('%00:secret').toString('base64')}`
    const headers = { ...form, Authorization: basic, 'SERVICE-CLIENT-ID': '' }
    const body = 'grant_type=client_credentials'
    const answer = await (await service.tenant()).post('/oauth/token', body, headers)
    expect([answer.status, answer.body['error']]).toEqual([401, 'invalid_client'])
  })

  test('is not taken for text that is merely rare', async () => {
    const tenant = await service.tenant()
    const client_user_id = '\\u0000 😀 \u202e ﷺ \u{10ffff}'
    expect((await tenant.post('/user/create', { client_user_id })).status).toBe(200)
  })
})

describe('a body of many levels', () => {
  test('is read up to a hundred of them', async () => {
    const tenant = await service.tenant()
    const { status } = await tenant.post('/protect/event/send', eventWith(nested(98)))
    expect(status).toBe(200)
  })

  test.each([99, 5000, 100_000])('is rejected beyond, as with %d inside', async (levels) => {
    const tenant = await service.tenant()
    const { status, body } = await tenant.post('/protect/event/send', eventWith(nested(levels)))
    expect([status, body]).toEqual([400, expect.objectContaining(malformed)])
  })

  test('is rejected as well where unknown fields are ignored', async () => {
    const body = `{"transfer_id":"x","event_type":"posted","more":${nested(5000)}}`
    const answer = await (await service.tenant()).post('/sandbox/transfer/simulate', body)
    expect([answer.status, answer.body]).toEqual([400, expect.objectContaining(malformed)])
  })
})

describe('a body with a key twice in one object', () => {
  const twice = 'must not have the field `client_user_id` twice in one object'

  test.each([
    ['at the top', '{"client_user_id":"a","client_user_id":"b"}'],
    ['written in another way', '{"client_user_id":"a","client_user\\u005fid":"b"}'],
    ['within it', '{"client_user_id":"a","identity":{"client_user_id":1,"client_user_id":2}}'],
    ['with one value', '{"client_user_id":"a","client_user_id":"a"}'],
  ])('is rejected, which says the key: %s', async (_case, body) => {
    const answer = await (await service.tenant()).post('/user/create', body)
    expect([answer.status, answer.body]).toEqual([400, expect.objectContaining(malformed)])
    expect(answer.body['error_message']).toContain(twice)
  })

  test('is rejected before its credentials are read', async () => {
    const body = '{"client_id":"sandbox-client","client_id":"b","secret":"c"}'
    const headers = { 'SERVICE-CLIENT-ID': '', 'SERVICE-SECRET': '' }
    const answer = await (await service.tenant()).post('/wallet/list', body, headers)
    expect([answer.status, answer.body]).toEqual([400, expect.objectContaining(malformed)])
  })

  test.each([
    'secret-0123456789abcdef',
    'sva-AAAAAAAAAAAAAAAAAAAAAA==',
    '900-12-3456',
    'deadbeef01',
  ])('is rejected without the key where that may be a secret: %s', async (key) => {
    const body = `{"${key}":1,"${key}":2}`
    const answer = await (await service.tenant()).post('/wallet/list', body)
    expect([answer.status, answer.body]).toEqual([400, expect.objectContaining(malformed)])
    expect(JSON.stringify(answer.body)).not.toContain(key)
  })

  test('is rejected by the token operations in their own words', async () => {
    const answer = await (await service.tenant()).post('/oauth/revoke', '{"token":"a","token":"b"}')
    expect([answer.status, answer.body['error']]).toEqual([400, 'invalid_request'])
  })
})

describe('a body of more keys or parameters than anybody needs', () => {
  test('is rejected where one object has more than 10,000 keys', async () => {
    const keys = (count: number) => Array.from({ length: count }, (_, index) => `"k${index}":0`)
    const tenant = await service.tenant()
    const most = await tenant.post('/protect/event/send', `{${keys(10_000).join()}}`)
    const more = await tenant.post('/protect/event/send', `{${keys(10_001).join()}}`)
    expect([most.status, most.body['error_code']]).toEqual([400, 'UNKNOWN_FIELDS'])
    expect([more.status, more.body]).toEqual([400, expect.objectContaining(malformed)])
  })

  test('is rejected where a form has more than 100 parameters', async () => {
    const parameters = (count: number) =>
      Array.from({ length: count }, (_, index) => `k${index}=0`).join('&')
    const tenant = await service.tenant()
    const most = await tenant.post('/oauth/revoke', parameters(100), form)
    const more = await tenant.post('/oauth/revoke', parameters(101), form)
    expect([most.status, most.body['error_description']]).toEqual([400, 'missing fields: `token`'])
    expect([more.status, more.body['error_description']]).toEqual([
      400,
      'the body must have at most 100 parameters',
    ])
  })
})
