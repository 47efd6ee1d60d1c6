import { describe, expect, test } from 'vitest'
import { readCookie, writeCookie } from '../../src/server/dashboard/cookie.ts'
import { type IdKind, newId } from '../../src/server/kernel/ids.ts'
import { fromIdCursor, toIdCursor } from '../../src/server/kernel/list-cursor.ts'
import { createSingletons } from '../../src/server/kernel/singletons.ts'
import { toLinkSession } from '../../src/server/link/link-session.ts'
import { countCalls, waitForCall, withCall } from '../../src/server/queue/pull-quota.ts'
import { toChangedBalances, toNewBalances } from '../../src/server/sandbox/items/balances.ts'

// Small rules that need no service.

const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}'
const timed = uuid.replace('-4', '-7')

describe('an identifier', () => {
  test.each<[IdKind, string]>([
    ['request', '[A-Za-z0-9]{15}'],
    ['opaque', '[A-Za-z0-9]{37}'],
    ['uuid', timed],
    ['access_token', `access-sandbox-${uuid}`],
    ['public_token', `public-sandbox-${uuid}`],
    ['link_token', `link-sandbox-${uuid}`],
    ['page_key', '[0-9a-f]{64}'],
    ['asset_report_token', `assets-sandbox-${uuid}`],
    ['user_token', `user-sandbox-${uuid}`],
    ['user', 'usr_[A-Za-z0-9]{14}'],
    ['identity_verification', 'idv_[A-Za-z0-9]{14}'],
    ['identity_verification_template', 'idvtmp_[A-Za-z0-9]{14}'],
    ['screening', 'scr_[A-Za-z0-9]{14}'],
    ['institution', 'ins_[0-9]{6,10}'],
    ['wallet', `wallet-id-sandbox-${timed}`],
    ['recipient', `recipient-id-sandbox-${uuid}`],
    ['dashboard_user', '[0-9a-f]{24}'],
    ['protect_event', 'protect-event-[0-9a-f]{24}'],
    ['oauth_access_token', 'sva-[\\w-]{22}=='],
    ['oauth_refresh_token', 'svr-[\\w-]{22}=='],
    ['share_key', '[0-9a-f]{64}'],
    ['client', '[0-9a-f]{24}'],
    ['secret', '[0-9a-f]{32}'],
    ['public_key', '[0-9a-f]{28}'],
    ['row', '[0-9a-f]{12}-[0-9a-f]{8}-[0-9a-f]{8}'],
  ])('%s has the form %s', (kind, form) => {
    expect(newId(kind, 'sandbox')).toMatch(new RegExp(`^${form}$`))
    expect(newId(kind, 'sandbox')).not.toBe(newId(kind, 'sandbox'))
  })

  test('of a row is greater than those before it', () => {
    const ids = Array.from({ length: 50 }, () => newId('row', 'sandbox'))
    expect(ids.toSorted()).toEqual(ids)
  })

  test('becomes a cursor and is read from it', () => {
    expect(fromIdCursor(toIdCursor('usr_1'))).toBe('usr_1')
    for (const other of ['', '!', 'dXNyXzE=']) expect(fromIdCursor(other)).toBeUndefined()
  })
})

test('a singleton is made once, by each function that makes one', () => {
  const singleton = createSingletons()
  const make = () => ({})
  const other = () => ({ other: true })
  expect(singleton(make)).toBe(singleton(make))
  expect([singleton(other), singleton(make)]).toEqual([{ other: true }, {}])
  expect(createSingletons()(make)).not.toBe(singleton(make))
})

describe('the cookie of the dashboard', () => {
  const key = 'k'.repeat(43)

  test.each([
    ['http://localhost:4000', 'dashboard-4000', 'Path=/dashboard'],
    ['http://127.0.0.1', 'dashboard-80', 'Path=/dashboard'],
    ['https://localhost:4000', '__Host-dashboard', 'Path=/; Secure'],
    ['https://fds.example', '__Host-dashboard', 'Path=/; Secure'],
    ['http://fds.example', '__Host-dashboard', 'Path=/; Secure'],
  ])('at %s is %s', (url, name, attributes) => {
    const written = `${name}=${key}; ${attributes}; Max-Age=60; HttpOnly; SameSite=Strict`
    expect(writeCookie(url, 'session', key, 60)).toBe(written)
    for (const header of [`${name}=${key}`, `a=1;${name}=${key}`, `a=1;  ${name}=${key}; b=2`]) {
      expect(readCookie(url, 'session', header)).toBe(key)
    }
    const wrong = ['', `x${name}=${key}`, `${name}=${key}k`, `${name}=x${key}`, `${name}=`]
    for (const header of [...wrong, `${name}=${key}; ${name}=${key}`]) {
      expect(readCookie(url, 'session', header)).toBeUndefined()
    }
  })

  test('has another name and form while a sign-in goes on elsewhere', () => {
    const attempt = `${key}.1234567890123`
    expect(writeCookie('https://a.example', 'attempt', attempt, 9)).toMatch(
      /^__Host-dashboard-provider=k{43}\.1234567890123; Path=\/; Secure; Max-Age=9;/,
    )
    const written = `dashboard-provider-4000=${attempt}`
    expect(readCookie('http://localhost:4000', 'attempt', written)).toBe(attempt)
    for (const odd of [key, `${attempt}4`, `x${attempt}`]) {
      const header = `dashboard-provider-4000=${odd}`
      expect(readCookie('http://localhost:4000', 'attempt', header)).toBeUndefined()
    }
  })
})

describe('the calls of a source', () => {
  const day = 86_400_000
  const quota = { callsPerDay: 3, minIntervalSeconds: 60 }
  const calls = (...times: number[]) => JSON.stringify(times)

  test('wait for the last one, and for the oldest of a full day', () => {
    expect(waitForCall('[]', quota, day)).toBe(0)
    expect(waitForCall(calls(day), quota, day + 1000)).toBe(59_000)
    expect(waitForCall(calls(day), quota, day + 61_000)).toBe(0)
    const full = calls(day + 2000, day, day + 1000)
    expect(waitForCall(full, quota, day + 100_000)).toBe(day - 100_000)
    expect(waitForCall(full, quota, 2 * day)).toBe(0)
    expect(waitForCall(calls(day, day + 1000), quota, day + 100_000)).toBe(0)
  })

  test('count for 24 hours', () => {
    const all = calls(0, 1, 2, day)
    expect(countCalls(all, day)).toBe(3)
    expect(withCall(all, day + 1)).toBe(calls(2, day, day + 1))
    expect(withCall('[]', day)).toBe(calls(day))
  })
})

describe('balances of the sandbox', () => {
  const date = '2026-03-16T12:00:00Z'
  const none = { iso_currency_code: null, unofficial_currency_code: null }
  const dollars = { ...none, iso_currency_code: 'USD' }
  const bitcoin = { ...none, unofficial_currency_code: 'BTC' as const }

  test('of a new account are zero, in dollars', () => {
    const zero = { available: null, current: 0, limit: null }
    expect(toNewBalances()).toEqual({ ...zero, ...dollars })
    expect(toNewBalances({ unofficial_currency_code: 'BTC' })).toEqual({ ...zero, ...bitcoin })
    expect(toNewBalances({ ...dollars, iso_currency_code: 'EUR' })).toMatchObject({
      iso_currency_code: 'EUR',
    })
    const dated = toNewBalances({ available: 1, current: 2, limit: 3, last_updated_datetime: date })
    const given = { available: 1, current: 2, limit: 3, last_updated_datetime: date }
    expect(dated).toEqual({ ...given, ...dollars })
  })

  const account = {
    available: 100,
    current: 200,
    credit_limit: 300,
    ...dollars,
    last_updated_datetime: date,
  }
  const change = (input: object, before: object = {}, item: object = {}) =>
    toChangedBalances(item as never, { ...account, ...before } as never, input)

  test('stay where nothing is given', () => {
    expect(change({})).toEqual(account)
    expect(change({}, bitcoin)).toMatchObject(bitcoin)
  })

  test('are changed in minor units, or taken away', () => {
    expect(change({ available: 1.5, current: -2, limit: 0 })).toMatchObject({
      available: 150,
      current: -200,
      credit_limit: 0,
    })
    const without = { available: null, current: 200, credit_limit: null }
    expect(change({ available: null, limit: null })).toMatchObject(without)
  })

  test('have one of the two currencies', () => {
    expect(change({ unofficial_currency_code: 'BTC' })).toMatchObject(bitcoin)
    expect(change({ iso_currency_code: 'USD' }, bitcoin)).toMatchObject(dollars)
    expect(change({ unofficial_currency_code: null })).toMatchObject(dollars)
    expect(change({ iso_currency_code: null }, bitcoin)).toMatchObject(bitcoin)
    expect(() => change({ iso_currency_code: null })).toThrow('one of the two currency codes')
    expect(() => change({ unofficial_currency_code: null }, bitcoin)).toThrow('currency codes')
  })
})

describe('a session of Link, as the API shows it', () => {
  const session = {
    link_session_id: 's1',
    started_at: '2026-03-16T12:00:00Z',
    finished_at: null,
    status: null,
    events: '[]',
    results: null,
    exit_error: null,
    institution: null,
  }
  const shown = (more: object) =>
    toLinkSession({ docsUrl: 'http://localhost/docs' } as never, { ...session, ...more } as never)

  test('has no end while it goes on', () => {
    const { link_session_id, started_at } = session
    const open = { link_session_id, started_at, finished_at: null, exit: null, results: null }
    expect(shown({})).toEqual({ ...open, events: [] })
  })

  test('tells where and why a user left', () => {
    const institution = { institution_id: 'ins_1', name: 'Bank' }
    const left = { status: 'EXITED', institution: JSON.stringify(institution) }
    expect(shown(left).exit).toEqual({ error: null, metadata: { institution } })
    const failed = shown({ status: 'EXITED', exit_error: 'ITEM_LOCKED' }).exit
    expect(failed).toMatchObject({
      error: { error_code: 'ITEM_LOCKED' },
      metadata: { institution: null },
    })
    expect(shown({ ...left, status: 'SUCCESS', results: '{"item_add_results":[]}' })).toMatchObject(
      {
        exit: null,
        results: { item_add_results: [] },
      },
    )
  })
})
