import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ProtectEventSendRequest } from '../../src/index.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const timestamp = '2026-03-02T13:41:55Z'

async function send(tenant: Tenant, body: ProtectEventSendRequest) {
  const { data, error } = await tenant.api.protectEventSend(body)
  if (!data) throw new Error(JSON.stringify(error))
  return data
}

const visit = (session?: string, rest: object = {}): ProtectEventSendRequest => ({
  event: { timestamp, app_visit: {}, ...(session ? { protect_session_id: session } : {}) },
  request_trust_index: true,
  ...rest,
})

interface StoredEvent {
  kind: string
  event_timestamp: string
  timestamp: string
  protect_session_id: string | null
  device_session_id: string | null
  event: string
}

const stored = (eventId: string) =>
  service.service.database.read((db) =>
    db.first<StoredEvent>('select * from protect_events where event_id = $1', [eventId]),
  )

describe('protectEventSend', () => {
  test('records an event, and says nothing of trust unasked', async () => {
    const tenant = await service.tenant()
    const event = { timestamp, user_sign_up: {} }
    const expected = {
      event_id: expect.stringMatching(/^protect-event-[0-9a-f]+$/),
      fraud_attributes: {},
      request_id: expect.any(String),
    }
    expect(await send(tenant, { event })).toEqual(expected)
    expect(await send(tenant, { event, request_trust_index: false })).toEqual(expected)
  })

  test('gives the trust index when it is asked for, in scores from 1 to 99', async () => {
    const tenant = await service.tenant()
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, index) => send(tenant, visit(`psess-${index}`))),
    )
    const scores = answers.flatMap(({ trust_index: trust }) => [
      trust?.score ?? 0,
      trust?.subscores?.device_and_connection?.score ?? 0,
      trust?.subscores?.bank_account_insights?.score ?? 0,
    ])
    expect(Math.min(...scores)).toBeGreaterThanOrEqual(1)
    expect(Math.max(...scores)).toBeLessThanOrEqual(99)
    expect(new Set(scores).size).toBeGreaterThan(50)
    expect(answers[0]?.trust_index?.model).toBe('ti-pro-1.0')
  })

  test('trusts one session alike at every event, and another otherwise', async () => {
    const [tenant, other] = [await service.tenant(), await service.tenant()]
    const first = await send(tenant, visit('psess-9d41'))
    const again = await send(other, {
      event: { timestamp, user_sign_in: { method: 'passkey' } },
      protect_session_id: 'psess-9d41',
      request_trust_index: true,
    })
    const different = await send(tenant, visit('psess-9d42'))
    expect(again.trust_index).toEqual(first.trust_index)
    expect(different.trust_index).not.toEqual(first.trust_index)
  })

  test('judges an event without a session by itself', async () => {
    const tenant = await service.tenant()
    const signIn = (method: string): ProtectEventSendRequest => ({
      event: { timestamp, user_sign_in: { method } },
      request_trust_index: true,
    })
    const first = await send(tenant, signIn('passkey'))
    expect((await send(tenant, signIn('passkey'))).trust_index).toEqual(first.trust_index)
    expect((await send(tenant, signIn('password'))).trust_index).not.toEqual(first.trust_index)
  })

  test('counts the same act twice when it is sent twice', async () => {
    const tenant = await service.tenant()
    const [first, second] = [await send(tenant, visit()), await send(tenant, visit())]
    expect(first.event_id).not.toBe(second.event_id)
  })

  test('keeps the event with all its keys, its own session and time before those beside it', async () => {
    const tenant = await service.tenant()
    const event = {
      timestamp: '2026-03-02T14:41:55.250+01:00',
      protect_session_id: 'inside',
      user_sign_in: { method: 'passkey', nested: { deep: [1, null] } },
      app_visit: null,
      further: 'kept',
    }
    const { event_id } = await send(tenant, {
      timestamp: '2026-03-02T13:42:00Z',
      event,
      protect_session_id: 'beside',
      device_session_id: 'dsess-51c7',
    })
    const row = await stored(event_id)
    expect(row).toMatchObject({
      kind: 'user_sign_in',
      event_timestamp: timestamp,
      timestamp: '2026-03-02T13:42:00Z',
      protect_session_id: 'inside',
      device_session_id: 'dsess-51c7',
    })
    expect(JSON.parse(row!.event)).toEqual(event)
  })

  test('takes now for a time that is left out, and the session beside for one that is not inside', async () => {
    const tenant = await service.tenant()
    await tenant.control('sandboxClockAdvance', { seconds: 365 * 86_400 })
    const before = (await tenant.control('sandboxClockGet', {})).now
    const { event_id } = await send(tenant, visit(undefined, { protect_session_id: 'beside' }))
    const row = await stored(event_id)
    expect(row!.timestamp >= before).toBe(true)
    expect(row!.protect_session_id).toBe('beside')
  })

  test.each([
    ['no kind', { timestamp }, undefined],
    ['a null kind only', { timestamp, app_visit: null }, undefined],
    ['two kinds', { timestamp, app_visit: {}, user_sign_in: {} }, undefined],
    ['a kind that is no object', { timestamp, app_visit: 'yes' }, undefined],
    ['a date for a time', { timestamp: '2026-03-02', app_visit: {} }, undefined],
    ['a date for the time beside', { timestamp, app_visit: {} }, '2026-03-02'],
  ])('rejects %s', async (_what, event, beside) => {
    const body = { event, ...(beside ? { timestamp: beside } : {}) }
    const answer = await (await service.tenant()).post('/protect/event/send', body)
    expect({ status: answer.status, code: answer.body['error_code'] }).toEqual({
      status: 400,
      code: 'INVALID_FIELD',
    })
  })

  test('needs the event and its time', async () => {
    const tenant = await service.tenant()
    const without = await tenant.post('/protect/event/send', {})
    const timeless = await tenant.post('/protect/event/send', { event: { app_visit: {} } })
    expect(without.body['error_code']).toBe('MISSING_FIELDS')
    expect(timeless.body['error_code']).toBe('MISSING_FIELDS')
  })

  test('accepts times up to five minutes ahead of the client’s clock, and none beyond', async () => {
    const tenant = await service.tenant()
    await tenant.control('sandboxClockAdvance', { seconds: 86_400 })
    const now = Date.parse((await tenant.control('sandboxClockGet', {})).now)
    const ahead = (seconds: number) => new Date(now + seconds * 1000).toISOString()
    const post = async (inside: number, beside: number) => {
      const event = { timestamp: ahead(inside), app_visit: {} }
      const answer = await tenant.post('/protect/event/send', { event, timestamp: ahead(beside) })
      return answer.status
    }
    expect(await post(299, 299)).toBe(200)
    expect(await post(400, 0)).toBe(400)
    expect(await post(0, 400)).toBe(400)
  })
})
