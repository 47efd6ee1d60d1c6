import { describe, expect, test } from 'vitest'
import { isGivenUp, nextDelay } from '../../src/server/worker/webhooks/retry.ts'

const day = 86_400_000

describe('the schedule', () => {
  test('waits half a minute, then four times as long each time, and makes seven attempts', () => {
    const delays = [1, 2, 3, 4, 5, 6, 7].map((made) => nextDelay(made, 0))
    expect(delays).toEqual([30_000, 120_000, 480_000, 1_920_000, 7_680_000, 30_720_000, null])
  })

  test('ends a day after the first attempt', () => {
    expect(nextDelay(2, day - 120_000)).toBe(120_000)
    expect(nextDelay(2, day - 119_999)).toBeNull()
  })
})

describe('an endpoint', () => {
  test.each([
    { attempts: 0, rejected: 0, givenUp: false },
    { attempts: 9, rejected: 9, givenUp: false },
    { attempts: 10, rejected: 10, givenUp: true },
    { attempts: 10, rejected: 9, givenUp: false },
    { attempts: 100, rejected: 90, givenUp: false },
    { attempts: 100, rejected: 91, givenUp: true },
  ])('that rejected $rejected of $attempts is given up: $givenUp', ({ givenUp, ...record }) => {
    expect(isGivenUp(record)).toBe(givenUp)
  })
})
