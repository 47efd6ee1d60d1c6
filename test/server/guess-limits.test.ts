import { beforeEach, describe, expect, test } from 'vitest'
import { currentVersion } from '../../generated/versions.ts'
import { ApiError } from '../../src/server/kernel/errors.ts'
import { noTelemetry } from '../../src/server/kernel/telemetry.ts'
import {
  createGuessLimits,
  type Guess,
  type GuessLimits,
} from '../../src/server/pipeline/guess-limits.ts'
import { describeOperation } from '../../src/server/versions/select-version.ts'

const operation = await describeOperation('walletList', currentVersion).then((one) => one.operation)

let now = 0
let limits: GuessLimits
beforeEach(() => {
  now = 1_773_669_900_000
  limits = createGuessLimits(true, () => now, noTelemetry)
})

const guess = (claimed: string, peer: string, kind: Guess['kind'] = 'secret'): Guess => ({
  kind,
  claimed,
  peer,
  forwarded: false,
})

/** How many of so many guesses are looked at, all of them wrong. */
function tryAll(count: number, of: (index: number) => Guess): number {
  let checked = 0
  for (let index = 0; index < count; index += 1) {
    if (waitOf(of(index)) !== undefined) continue
    checked += 1
    limits.fail(of(index), true)
  }
  return checked
}

/** How many seconds the next one has to wait; undefined where it is looked at. */
function waitOf(one: Guess): number | undefined {
  try {
    limits.admit(() => one, operation)
    return undefined
  } catch (error) {
    if (error instanceof ApiError && error.status === 429) return error.retryAfter
    throw error
  }
}

describe('wrong credentials', () => {
  test('of one client from one address are looked at 20 times, and then every three seconds', () => {
    const one = guess('a', '192.0.2.1')
    expect(tryAll(3000, () => one)).toBe(20)
    expect(waitOf(one)).toBe(3)
    now += 3000
    expect(tryAll(10, () => one)).toBe(1)
    now += 60_000
    expect(tryAll(100, () => one)).toBe(20)
  })

  test('hold up neither the client elsewhere nor others at the address', () => {
    tryAll(3000, () => guess('a', '192.0.2.1'))
    expect(waitOf(guess('a', '192.0.2.2'))).toBeUndefined()
    expect(waitOf(guess('b', '192.0.2.1'))).toBeUndefined()
    expect(waitOf(guess('a', '192.0.2.1', 'bearer_token'))).toBeUndefined()
  })

  test('from many addresses cost more for their client, which passes from a new one', () => {
    const checked = tryAll(100_000, (index) => guess('a', `192.0.2.${index % 200}`))
    // 20 of each until there were 100, and then two.
    expect(checked).toBeLessThan(600)
    expect(waitOf(guess('a', '198.51.100.1'))).toBeUndefined()
    now += 60_000
    expect(tryAll(200, (index) => guess('a', `192.0.2.${index % 200}`))).toBe(200)
  })

  test('for many clients cost more for their address', () => {
    const checked = tryAll(20_000, (index) => guess(`client-${index % 100}`, '192.0.2.1'))
    expect(checked).toBeLessThan(400)
  })

  test('of IPv6 count by the network of a subscriber, and of mapped IPv4 by the address', () => {
    expect(tryAll(100, (index) => guess('a', `2001:db8:1:2::${index.toString(16)}`))).toBe(20)
    expect(waitOf(guess('a', '2001:db8:1:2:ffff:ffff:ffff:ffff'))).toBeGreaterThan(0)
    expect(waitOf(guess('a', '2001:db8:1:3::1'))).toBeUndefined()
    tryAll(100, () => guess('b', '::ffff:192.0.2.1'))
    expect(waitOf(guess('b', '192.0.2.1'))).toBeGreaterThan(0)
    expect(waitOf(guess('b', '::1'))).toBeUndefined()
  })

  test('are forgotten from the oldest on, so that what is known of them stays small', () => {
    tryAll(30, () => guess('a', '192.0.2.1'))
    tryAll(9000, (index) => guess(`b-${index}`, '192.0.2.2'))
    expect(waitOf(guess('a', '192.0.2.1'))).toBeGreaterThan(0)
    tryAll(2000, (index) => guess(`c-${index}`, '192.0.2.2'))
    expect(waitOf(guess('a', '192.0.2.1'))).toBeUndefined()
  })

  test('are looked at again when the clock has been set back', () => {
    tryAll(30, () => guess('a', '192.0.2.1'))
    now -= 86_400_000
    expect(waitOf(guess('a', '192.0.2.1'))).toBeLessThanOrEqual(60)
  })

  test('are looked at without end where limits are off', () => {
    limits = createGuessLimits(false, () => now, noTelemetry)
    expect(tryAll(1000, () => guess('a', '192.0.2.1'))).toBe(1000)
  })
})
