import { describe, expect, test } from 'vitest'
import { nextHistory, nextRead, nextTry, windowOf } from '../../src/server/worker/pulls/plan.ts'

// When a source is read, and which days, without a service.

const now = Date.parse('2026-03-16T12:00:00Z')
const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
const limits = { minIntervalSeconds: 60, callsPerDay: 24, maxWindowDays: 60 }
const today = '2026-03-16'

describe('the days of a read', () => {
  const latest = { from: '2026-02-14', to: '2026-03-17' }
  const older = { from: '2025-12-01', to: '2026-01-29' }
  const history = JSON.stringify(older)

  test('are the latest, unless older ones are missing and the latest were just read', () => {
    expect(windowOf({ history: null, read_at: now }, now)).toEqual(latest)
    expect(windowOf({ history, read_at: now - 6 * hour + 1 }, now)).toEqual(older)
    expect(windowOf({ history, read_at: now - 6 * hour }, now)).toEqual(latest)
    expect(windowOf({ history, read_at: 0 }, now)).toEqual(latest)
  })
})

describe('the older days that are missing', () => {
  const range = (from: string, to: string) => ({ from, to })
  const first = '2025-01-01'
  const next = (...booked: { from: string; to: string }[][]) =>
    nextHistory(booked, first, today, limits)

  test('end where the known ones begin, and overlap these', () => {
    expect(next([range('2026-02-14', today)])).toEqual(range('2025-12-26', '2026-02-23'))
  })

  test('lie between two ranges, in any order', () => {
    const [early, late] = [range('2025-01-01', '2026-01-10'), range('2026-02-14', today)]
    const expected = range('2025-12-26', '2026-02-23')
    expect(next([early, late])).toEqual(expected)
    expect(next([late, early])).toEqual(expected)
    const three = [range('2025-01-01', '2025-03-01'), range('2025-05-01', '2025-08-01')]
    expect(next([...three, range('2025-08-02', today)])).toEqual(range('2025-06-13', '2025-08-11'))
  })

  test('begin at the first day, and end tomorrow at the latest', () => {
    expect(next([range('2025-01-20', today)])).toEqual(range('2025-01-01', '2025-01-29'))
    expect(next([range(today, today)])).toEqual(range('2026-01-17', '2026-03-17'))
  })

  test('are the latest of any account', () => {
    const [one, other] = [range('2025-06-01', today), range('2026-02-14', today)]
    const expected = range('2025-12-26', '2026-02-23')
    expect(next([one], [other])).toEqual(expected)
    expect(next([other], [one], [range(first, today)])).toEqual(expected)
  })

  test('are none where all are known, and where nothing was read', () => {
    expect(next()).toBeUndefined()
    expect(next([])).toBeUndefined()
    expect(next([range(first, today)])).toBeUndefined()
    expect(next([range('2024-01-01', today)])).toBeUndefined()
  })
})

describe('the next read', () => {
  const pull = { client_id: 'c', item_id: 'i', fence: 1, calls: '[]', failures: 0 }
  const waitOf = (at: number) => at - now
  const near = (wait: number, expected: number) => {
    expect(wait).toBeGreaterThanOrEqual(0.9 * expected)
    expect(wait).toBeLessThanOrEqual(1.1 * expected)
  }
  const callsOf = (count: number) =>
    JSON.stringify(Array.from({ length: count }, (_, index) => now - 10 * hour + index * minute))

  test('is six hours later, or two minutes where older days are missing', () => {
    near(waitOf(nextRead(pull, limits, now, false)), 6 * hour)
    near(waitOf(nextRead(pull, limits, now, true)), 2 * minute)
  })

  test('leaves a third of the quota to the latest days', () => {
    near(waitOf(nextRead({ ...pull, calls: callsOf(15) }, limits, now, true)), 2 * minute)
    near(waitOf(nextRead({ ...pull, calls: callsOf(16) }, limits, now, true)), 6 * hour)
  })

  test('waits for the quota of the day', () => {
    const full = { ...pull, calls: callsOf(24) }
    expect(waitOf(nextRead(full, limits, now, false))).toBe(day - 10 * hour)
  })

  test('is at the same time for the same read, and at others for other Items', () => {
    const at = (more: object) => nextRead({ ...pull, ...more }, limits, now, false)
    expect(at({})).toBe(at({}))
    const others = [{}, { client_id: 'd' }, { item_id: 'j' }, { fence: 2 }].map(at)
    expect(new Set(others).size).toBe(4)
    const many = Array.from({ length: 200 }, (_, fence) => waitOf(at({ fence })) / (6 * hour))
    expect(Math.min(...many)).toBeLessThan(0.92)
    expect(Math.max(...many)).toBeGreaterThan(1.08)
  })

  const tryAfter = (failures: number, kind: 'outage' | 'login' | 'setup', waitMs = 0) =>
    waitOf(nextTry({ ...pull, failures }, { kind, waitMs }, limits, now))

  test('comes later after each failure', () => {
    for (const [failures, wait] of [5, 10, 20, 40, 80, 160, 320].entries()) {
      near(tryAfter(failures, 'outage'), wait * minute)
    }
    near(tryAfter(7, 'outage'), 6 * hour)
    near(tryAfter(5000, 'outage'), 6 * hour)
  })

  test.each(['login', 'setup'] as const)('comes later where a user must act: %s', (kind) => {
    near(tryAfter(0, kind), 6 * hour)
    near(tryAfter(1, kind), 12 * hour)
    near(tryAfter(2, kind), 24 * hour)
    near(tryAfter(9, kind), 24 * hour)
  })

  test('waits as long as the source says', () => {
    expect(tryAfter(0, 'outage', hour)).toBe(hour)
    near(tryAfter(0, 'outage', minute), 5 * minute)
    const full = { ...pull, calls: callsOf(24) }
    const failed = { kind: 'outage' as const, waitMs: hour }
    expect(waitOf(nextTry(full, failed, limits, now))).toBe(day - 10 * hour)
  })
})
