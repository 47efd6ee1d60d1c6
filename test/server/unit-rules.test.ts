import { describe, expect, test } from 'vitest'
import {
  accountIdsOf,
  filterReport,
  type StoredReport,
  toAssetReport,
} from '../../src/server/asset-reports/asset-report.ts'
import { toInvestments } from '../../src/server/asset-reports/investments.ts'
import { readCookie, writeCookie } from '../../src/server/dashboard/cookie.ts'
import {
  attemptSeconds,
  isAttemptOpen,
  newAttempt,
  readAttempt,
} from '../../src/server/dashboard/provider/attempt.ts'
import { type IdKind, newId } from '../../src/server/kernel/ids.ts'
import type { Keys } from '../../src/server/kernel/keys.ts'
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

describe('an attempt to sign in at a provider', () => {
  const keys = { hash: (text: string) => `hash of ${text}` } as Keys
  const now = 1_773_662_400_000

  test('has values for one purpose each, which follow from its key', () => {
    const attempt = newAttempt(keys, now)
    const { key } = attempt
    expect(key).toMatch(/^[\w-]{43}\.1773663000000$/)
    expect(attempt).toEqual({
      key,
      state: `hash of dashboard provider state ${key}`,
      nonce: `hash of dashboard provider nonce ${key}`,
      verifier: `hash of dashboard provider verifier ${key}`,
      endsAt: now + 600_000,
    })
    expect(readAttempt(keys, key)).toEqual(attempt)
    expect(newAttempt(keys, now).key).not.toBe(key)
  })

  test('is open for ten minutes', () => {
    const attempt = newAttempt(keys, now)
    expect(isAttemptOpen(attempt, now + 599_999)).toBe(true)
    expect(isAttemptOpen(attempt, now + 600_000)).toBe(false)
    expect(attemptSeconds).toBe(600)
  })

  test.each([
    undefined,
    '',
    'A'.repeat(43),
    `${'A'.repeat(42)}.1773663000000`,
    `${'A'.repeat(43)}.177366300000`,
    `A${'A'.repeat(43)}.1773663000000`,
    `${'A'.repeat(43)}.17736630000001`,
    `${'A'.repeat(42)}~.1773663000000`,
  ])('is not read from %j', (key) => {
    expect(readAttempt(keys, key)).toBeUndefined()
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

describe('an asset report', () => {
  const at = (date: string) => ({ date, name: 'Mill', amount: 1, category: ['Shops'] })
  const account = (account_id: string, days_available: number) => ({
    account_id,
    days_available,
    transactions: [at('2026-03-16'), at('2026-03-12'), at('2026-03-11')],
    historical_balances: [{ date: '2026-03-12' }, { date: '2026-03-11' }],
  })
  const stored = {
    date_generated: '2026-03-16T12:00:00Z',
    items: [
      { item_id: 'i', accounts: [account('a', 30), account('b', 30)] },
      { item_id: 'j', accounts: [account('c', 2)] },
    ],
    warnings: [],
    last_days: { b: '2026-03-14' },
  } as never as StoredReport
  const head = { asset_report_id: 'r', ssn: null, request: { user: {}, days_requested: 60 } }
  const accountsOf = (days: number | null, insights = true, of = stored) =>
    toAssetReport(head as never, of, { days, insights }).items.flatMap(({ accounts }) => accounts)

  test('shows the last days, which end where the history of an account does', () => {
    const shown = accountsOf(5)
    expect(shown.map(({ transactions }) => transactions.map(({ date }) => date))).toEqual(
      Array(3).fill(['2026-03-16', '2026-03-12']),
    )
    expect(shown.map((one) => one.historical_balances)).toEqual(
      Array(3).fill([{ date: '2026-03-12' }]),
    )
    expect(shown.map((one) => one.days_available)).toEqual([5, 3, 2])
    const { last_days: _, ...without } = stored
    expect(accountsOf(5, true, without).map((one) => one.days_available)).toEqual([5, 5, 2])
    expect(accountsOf(1)[1]?.days_available).toBe(0)
  })

  test('shows all days, and names only with insights', () => {
    const [all] = accountsOf(null)
    expect([all?.days_available, all?.transactions.length]).toEqual([30, 3])
    expect(all?.transactions[0]).toEqual(at('2026-03-16'))
    expect(accountsOf(null, false)[0]?.transactions[0]).toEqual({ date: '2026-03-16', amount: 1 })
  })

  test('can leave out accounts, and Items of which none is left', () => {
    expect(accountIdsOf(filterReport(stored, ['b', 'c']))).toEqual(['a'])
    expect(filterReport(stored, ['b', 'c']).items).toHaveLength(1)
    expect(accountIdsOf(stored)).toEqual(['a', 'b', 'c'])
  })
})

describe('invented investments', () => {
  const of = (current: number, available: number | null = null) =>
    toInvestments(
      { account_id: 'a', current, available, iso_currency_code: 'USD' } as never,
      '2026-03-16',
    )

  test('are three funds that are worth what is not cash', () => {
    const { holdings = [], securities = [], transactions = [] } = of(1_050_00, 50_00)
    expect(holdings.map((one) => one.institution_value)).toEqual([500, 300, 200])
    const ids = holdings.map((one) => one.security_id)
    expect(securities.map((one) => one.security_id)).toEqual(ids)
    expect(new Set(ids).size).toBe(3)
    expect(new Set(transactions.map((one) => one.investment_transaction_id)).size).toBe(3)
    for (const [index, holding] of holdings.entries()) {
      const { institution_price: price, quantity, institution_value, cost_basis } = holding
      expect(Math.abs(price * quantity - (institution_value ?? 0))).toBeLessThan(0.02)
      expect([price >= 18, price <= 240]).toEqual([true, true])
      expect((cost_basis ?? 0) / (institution_value ?? 1)).toBeGreaterThanOrEqual(0.879)
      expect((cost_basis ?? 0) / (institution_value ?? 1)).toBeLessThanOrEqual(1.04)
      const bought = transactions[index]
      expect([(bought?.date ?? '') >= '2026-01-25', (bought?.date ?? '') <= '2026-02-24']).toEqual([
        true,
        true,
      ])
      expect(bought).toMatchObject({ quantity, name: `BUY ${securities[index]?.name}` })
    }
    expect(of(1_050_00, 50_00)).toEqual(of(1_050_00, 50_00))
  })

  test('are none for less than a hundred', () => {
    const none = { holdings: [], securities: [], transactions: [] }
    expect(of(99_99)).toEqual(none)
    expect(of(200_00, 150_00)).toEqual(none)
    expect(of(100_00).holdings).toHaveLength(3)
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
