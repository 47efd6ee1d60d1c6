import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { readTimestamp, toTimestamp } from '../../src/server/kernel/time.ts'
import { dateTime } from '../../src/validators/formats.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'

let service: TestService
let tenant: Tenant

beforeAll(async () => {
  service = await startService({ clock: () => Date.parse('2026-03-16T12:00:00Z') })
  tenant = await service.tenant()
})
afterAll(() => service.close())

const corpus = parse(readFileSync('test/support/format-corpus.yaml', 'utf8')) as {
  'date-time': { valid: string[] }
}

/** Spellings that `Date.parse` takes for no date, or for another. */
const spellings: [given: string, meant: string][] = [
  ['2026-03-16T14:05:09+02', '2026-03-16T12:05:09Z'],
  ['2026-03-16 14:05:09-0030', '2026-03-16T14:35:09Z'],
  ['2026-03-16t14:05:09.999z', '2026-03-16T14:05:09Z'],
  ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00Z'],
  ['2016-12-31T15:59:60.5-08:00', '2017-01-01T00:00:00Z'],
  ['0050-01-01 00:00:00Z', '0050-01-01T00:00:00Z'],
  ['0000-01-01T00:00:00+01:00', '0000-01-01T00:00:00Z'],
  ['9999-12-31T23:59:59-23:59', '9999-12-31T23:59:59Z'],
]

describe('readTimestamp', () => {
  test.each(spellings)('reads %s as %s', (given, meant) => {
    expect(toTimestamp(readTimestamp(given))).toBe(meant)
  })

  test('gives a moment that can be written for every date-time of the format', () => {
    const written = corpus['date-time'].valid.map((text) => toTimestamp(readTimestamp(text)))
    expect(written.length).toBeGreaterThan(20)
    expect(written.filter((text) => !/^\d{4}-/.test(text) || !dateTime(text))).toEqual([])
  })
})

describe('a date-time in any spelling', () => {
  const send = (timestamp: string, event_timestamp: string) =>
    tenant.post('/protect/event/send', {
      timestamp,
      event: { timestamp: event_timestamp, app_visit: {} },
    })

  test.each(spellings.slice(3, -1))('is the time of an event: %s', async (given, meant) => {
    const { body } = await send(given, given)
    const stored = await service.service.database.read((db) =>
      db.first('select timestamp, event_timestamp from protect_events where event_id = $1', [
        String(body['event_id']),
      ]),
    )
    expect(stored).toEqual({ timestamp: meant, event_timestamp: meant })
  })

  test('is rejected in an event more than five minutes ahead', async () => {
    const past = '2026-03-16T11:00:00Z'
    for (const ahead of ['2026-03-16T13:00:00+00', '2026-12-31T23:59:60Z']) {
      expect((await send(past, ahead)).body['error_code']).toBe('INVALID_FIELD')
      expect((await send(ahead, past)).body['error_code']).toBe('INVALID_FIELD')
    }
  })

  test('is taken in an event up to five minutes ahead, and named where it is later', async () => {
    const now = '2026-03-16T12:00:00Z'
    expect((await send('2026-03-16T12:05:00Z', '2026-03-16T12:05:00Z')).status).toBe(200)
    const message = async (outer: string, inner: string) =>
      (await send(outer, inner)).body['error_message']
    const later = '2026-03-16T12:05:01Z'
    const words = 'must not be more than 5 minutes ahead'
    expect(await message(later, now)).toBe(`\`timestamp\` ${words}`)
    expect(await message(now, later)).toBe(`\`event.timestamp\` ${words}`)
  })

  test('moves the clock', async () => {
    const other = await service.tenant()
    const advance = (to: string) => other.control('sandboxClockAdvance', { to })
    expect((await advance('2026-06-30T23:59:60Z')).now).toBe('2026-07-01T00:00:00Z')
    expect((await advance('2026-07-01T05:00:00+02')).now).toBe('2026-07-01T03:00:00Z')
  })

  test('is shown in UTC in the status of an institution', async () => {
    const at = '2026-03-16 14:05:09.5+02'
    const updates = [{ description: 'Found it.', status: 'RESOLVED' as const, updated_date: at }]
    await tenant.control('sandboxInstitutionCreate', {
      name: 'Quillmore Bank',
      products: ['identity'],
      country_codes: ['US'],
      status: {
        item_logins: { status: 'DOWN', last_status_change: at },
        health_incidents: [
          { start_date: at, end_date: at, title: 'No logins', incident_updates: updates },
          { start_date: at, title: 'Slow logins' },
        ],
      },
    })
    const search = { query: 'quillmore', country_codes: ['US' as const] }
    const { data } = await tenant.api.institutionsSearch(search)
    const utc = '2026-03-16T12:05:09Z'
    expect(data?.institutions[0]?.status).toMatchObject({
      item_logins: { last_status_change: utc },
      health_incidents: [
        { start_date: utc, end_date: utc, incident_updates: [{ updated_date: utc }] },
        { start_date: utc, end_date: null, incident_updates: [] },
      ],
    })
  })
})

describe('the clock of a client', () => {
  test('stops before the year 9000, whichever field asks for more', async () => {
    const other = await service.tenant()
    const ahead = Date.UTC(8999, 11, 1) - Date.parse('2026-03-16T12:00:00Z')
    await service.service.database.transaction((db) =>
      db.run('update clients set clock_offset_ms = $2 where client_id = $1', [
        other.clientId,
        ahead,
      ]),
    )
    const rejection = async (body: object) => {
      const answer = await other.post('/sandbox/clock/advance', body)
      return `${answer.body['error_code']} ${answer.body['error_message']}`
    }
    expect(await rejection({ to: '9000-01-01T00:00:00Z' })).toMatch(/^INVALID_FIELD .*`to`/)
    expect(await rejection({ seconds: 31 * 86_400 })).toMatch(/^INVALID_FIELD .*`seconds`/)
    const last = { to: '8999-12-31T23:59:59Z' }
    expect(await other.control('sandboxClockAdvance', last)).toMatchObject({ now: last.to })
  })

  test('is moved to a moment once by many calls at the same time', async () => {
    const other = await service.tenant()
    const to = '2026-04-01T00:00:00Z'
    const calls = Array.from({ length: 5 }, () => other.control('sandboxClockAdvance', { to }))
    expect((await Promise.all(calls)).map(({ now }) => now)).toEqual(calls.map(() => to))
    expect((await other.control('sandboxClockGet', {})).now).toBe(to)
  })

  test('is moved by each of many calls that say by how much', async () => {
    const other = await service.tenant()
    const move = () => other.control('sandboxClockAdvance', { seconds: 60 })
    const answers = await Promise.all([move(), move(), move()])
    const times = ['2026-03-16T12:01:00Z', '2026-03-16T12:02:00Z', '2026-03-16T12:03:00Z']
    expect(answers.map(({ now }) => now).sort()).toEqual(times)
  })

  test('may be far ahead while everything works', async () => {
    const other = await service.tenant()
    for (let decade = 0; decade < 3; decade += 1) {
      await other.control('sandboxClockAdvance', { seconds: 315_360_000 })
    }
    const { data } = await other.api.identityVerificationCreate({
      client_user_id: 'borrower-9',
      template_id: await template(other),
      is_shareable: false,
      gave_consent: true,
    })
    expect(data?.created_at).toMatch(/^2056-/)
    const issued = await other.api.oauthToken({ grant_type: 'client_credentials' })
    const headers = { Authorization: `Bearer ${issued.data?.access_token}` }
    expect((await other.post('/wallet/list', {}, headers)).status).toBe(200)
  })

  const template = async (other: Tenant) => {
    const steps = ['accept_tos' as const, 'documentary_verification' as const]
    return (await other.control('sandboxIdentityVerificationTemplateCreate', { steps })).template_id
  }
})
