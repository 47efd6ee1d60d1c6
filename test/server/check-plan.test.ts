import { expect, test } from 'vitest'
import { endOf, pollDelay, retryDelay } from '../../src/server/worker/checks/plan.ts'

// When a provider of checks is called again, without a service.

const [second, minute, hour] = [1000, 60_000, 3_600_000]
const created_at = 7

test('nobody waits for a code longer than ten minutes, and for a check longer than a day', () => {
  expect(endOf({ step: 'verify_sms', created_at })).toBe(created_at + 10 * minute)
  expect(endOf({ step: 'kyc_check', created_at })).toBe(created_at + 24 * hour)
})

test('the pause after a failure doubles, up to half a minute for a code and an hour for a check', () => {
  const pauses = (step: 'verify_sms' | 'kyc_check', ...calls: number[]) =>
    calls.map((count) => retryDelay({ step, created_at, calls: count }) / second)
  expect(pauses('verify_sms', 0, 1, 4, 5, 21, 2000)).toEqual([1, 2, 16, 30, 30, 30])
  expect(pauses('kyc_check', 0, 1, 9, 10, 2000)).toEqual([5, 10, 2560, 3600, 3600])
})

test('a provider that is at work is asked when it says, or less and less often', () => {
  const pause = (calls: number, told: { retry_after_seconds?: number } = {}) =>
    pollDelay({ step: 'kyc_check', created_at, calls }, told) / second
  expect([0, 1, 8, 9, 2000].map((calls) => pause(calls))).toEqual([2, 4, 512, 600, 600])
  const told = [0, 7].map((retry_after_seconds) => pause(9, { retry_after_seconds }))
  expect(told).toEqual([0, 7])
})
