import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { NoConnection } from '../../src/server/db/pool.ts'
import { retrying } from '../../src/server/db/retry.ts'
import { LostConnection, StatementError } from '../../src/server/db/statement-error.ts'
import {
  DatabaseBusy,
  DatabaseUnavailable,
  WritesRejected,
} from '../../src/server/kernel/database.ts'

let now = 0
beforeEach(() => {
  now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now)
})
afterEach(() => vi.restoreAllMocks())

/** Tries until it succeeds or is given up, each try taking so long; how often, and what came of it. */
async function run(failure: Error, failures: number, msEach: number) {
  let tries = 0
  const attempt = async () => {
    tries += 1
    now += msEach
    if (tries <= failures) throw failure
    return 'done'
  }
  const outcome: unknown = await retrying(attempt, { chosenKeys: true }).catch((error) => error)
  return { tries, outcome }
}

const gaveWay = new StatementError('could not serialize access', '40001')
const sameKey = new StatementError('duplicate key', '23505')
const lost = new LostConnection('gone')

test('who gives way is tried for five seconds, and ten times at least', async () => {
  expect(await run(gaveWay, 20, 10)).toEqual({ tries: 21, outcome: 'done' })
  expect(await run(gaveWay, 9, 2000)).toEqual({ tries: 10, outcome: 'done' })
  const { tries, outcome } = await run(gaveWay, 1000, 300)
  expect(tries).toBe(17)
  expect(outcome).toBeInstanceOf(DatabaseBusy)
})

test('a key that is taken is chosen ten times, and a lost connection is opened for five seconds', async () => {
  expect(await run(sameKey, 1000, 1)).toEqual({ tries: 10, outcome: sameKey })
  expect(await run(lost, 2, 2000)).toEqual({ tries: 3, outcome: 'done' })
  const away = await run(lost, 1000, 2600)
  expect(away.tries).toBe(2)
  expect(away.outcome).toBeInstanceOf(DatabaseUnavailable)
})

test('that others have the database is not reported as if it were away', async () => {
  const busy = await run(new NoConnection('in use', { isBusy: true }), 1, 1)
  expect(busy).toEqual({ tries: 1, outcome: expect.any(DatabaseBusy) })
  const { outcome } = await run(new NoConnection('connection refused'), 1, 1)
  expect(outcome).toBeInstanceOf(DatabaseUnavailable)
  expect(outcome).not.toBeInstanceOf(DatabaseBusy)
})

test('a server whose disk is full rejects writes, and is not tried again', async () => {
  const failure = new StatementError('could not extend file "base/5/1": No space left', '53100')
  const { tries, outcome } = await run(failure, 20, 10)
  expect(tries).toBe(1)
  expect(outcome).toBeInstanceOf(WritesRejected)
  expect(outcome).toHaveProperty('reason', 'its disk is full')
})
