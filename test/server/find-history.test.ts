import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepHistories } from '../../src/server/simulation/find-history.ts'

let findHistory: ReturnType<typeof keepHistories>
beforeEach(() => {
  vi.useFakeTimers()
  findHistory = keepHistories(setTimeout)
})
afterEach(() => {
  vi.runAllTimers()
  vi.useRealTimers()
})

/** The 2nd of January 2026 as the history counts days. */
const day = 20_455
const historyOf = (seed: string) => findHistory(seed, 'US')
const holders = (count: number) => Array.from({ length: count }, (_, index) => `holder ${index}`)

/** What is asked of a history when an Item is linked. */
const twoYears = (seed: string) => {
  const history = historyOf(seed)
  return {
    posted: history.postedBetween(day - 730, day),
    pending: history.pendingOn(day),
    balances: (['checking', 'savings', 'card'] as const).map((role) =>
      history.balanceOn(role, day),
    ),
  }
}

test('histories of forty holders are kept while a clock is stepped day by day', () => {
  const first = holders(40).map(historyOf)
  for (let step = 0; step < 3; step += 1) {
    vi.advanceTimersByTime(9000)
    expect(holders(40).map((seed, index) => historyOf(seed) === first[index])).not.toContain(false)
  }
})

test('a history is the same after those of many others', () => {
  const before = twoYears('holder')
  expect(before.posted.length).toBeGreaterThan(500)
  const history = historyOf('holder')
  for (const others of [10, 60]) {
    for (const seed of holders(others)) twoYears(seed)
    // Of ten others it is shorter, of sixty it is forgotten.
    expect(historyOf('holder') === history).toBe(others === 10)
    expect(twoYears('holder')).toEqual(before)
  }
})

test('histories are forgotten once nobody has asked for one for ten seconds', () => {
  const before = twoYears('holder')
  const history = historyOf('holder')
  vi.advanceTimersByTime(10_001)
  expect(historyOf('holder')).not.toBe(history)
  expect(twoYears('holder')).toEqual(before)
})

test('a history of another country is another one', () => {
  expect(findHistory('holder', 'GB')).not.toBe(historyOf('holder'))
})
