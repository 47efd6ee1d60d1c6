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
  ])('is refused: %s', async (_case, text) => {
    const tenant = await service.tenant()
    const answer = await tenant.post('/user/create', `{"client_user_id":"${text}"}`)
    expect([answer.status, answer.body]).toEqual([400, expect.objectContaining(malformed)])
  })

  test.each([
    ['in the name of a field', '{"event":{"a\\u0000":1}}'],
    ['in content that is free', eventWith('{"note":"\\u0000"}')],
    ['in the name of a client', '{"client_id":"\\u0000","event":{}}'],
  ])('is refused %s', async (_case, body) => {
    const { status, body: answer } = await (await service.tenant()).post(
      '/protect/event/send',
      body,
    )
    expect([status, answer]).toEqual([400, expect.objectContaining(malformed)])
  })

  test('is refused by the token operations in their own words', async () => {
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

  test.each([99, 5000, 100_000])('is refused beyond, as with %d inside', async (levels) => {
    const tenant = await service.tenant()
    const { status, body } = await tenant.post('/protect/event/send', eventWith(nested(levels)))
    expect([status, body]).toEqual([400, expect.objectContaining(malformed)])
  })

  test('is refused as well where unknown fields are ignored', async () => {
    const body = `{"transfer_id":"x","event_type":"posted","more":${nested(5000)}}`
    const answer = await (await service.tenant()).post('/sandbox/transfer/simulate', body)
    expect([answer.status, answer.body]).toEqual([400, expect.objectContaining(malformed)])
  })
})
