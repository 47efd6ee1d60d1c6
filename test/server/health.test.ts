import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createReadiness } from '../../src/server/boot/readiness.ts'
import type { Database } from '../../src/server/kernel/database.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService({ settings: { environment: 'production', reportDelayMs: 0 } })
})
afterAll(() => service.close())

const ask = async (path: string, method = 'GET'): Promise<[number, unknown]> => {
  const response = await service.fetch(new Request(service.url + path, { method }))
  expect(response.headers.get('cache-control')).toBe('no-store')
  return [response.status, method === 'HEAD' ? null : await response.json()]
}

const ok = { accepting: 'ok', database: 'ok', migrations: 'ok', writes: 'ok' }

describe('/livez', () => {
  test('answers without credentials', async () => {
    expect(await ask('/livez')).toEqual([200, { live: true }])
    expect(await ask('/livez', 'HEAD')).toEqual([200, null])
  })

  test('is no operation', async () => {
    const post = new Request(`${service.url}/livez`, { method: 'POST', body: '{}' })
    expect((await service.fetch(post)).status).toBe(404)
  })
})

describe('/readyz', () => {
  test('answers what it has looked at', async () => {
    expect(await ask('/readyz')).toEqual([200, { ready: true, checks: ok }])
    expect(await ask('/readyz', 'HEAD')).toEqual([200, null])
  })

  test('answers 503 once the process is about to end, while /livez goes on', async () => {
    const other = await startService()
    other.readiness.drain()
    const paths = ['/livez', '/readyz']
    const [live, ready] = await Promise.all(paths.map((path) => other.app.inject(path)))
    expect([live?.statusCode, ready?.statusCode]).toEqual([200, 503])
    expect(ready?.json()).toEqual({ ready: false, checks: { ...ok, accepting: 'shutting down' } })
    await other.close()
  })
})

describe('readiness', () => {
  type Ask = () => Promise<unknown>

  /** On a database whose answer is the test's, with a clock that stands still. */
  function asking(answer: Ask) {
    const state = { answer, asked: 0, now: 0 }
    const first = () => {
      state.asked += 1
      return state.answer()
    }
    const database = { single: { first } } as unknown as Pick<Database, 'single'>
    return { state, ...createReadiness(database, () => state.now, 20) }
  }

  const newest = (number: number) => async () => ({ newest: number })

  test('asks the database no more often than twice a second', async () => {
    const { state, check } = asking(newest(9))
    await Promise.all(Array.from({ length: 20 }, check))
    state.now = 499
    await check()
    expect(state.asked).toBe(1)
    state.now = 500
    await check()
    expect(state.asked).toBe(2)
  })

  test('ends while the database fails, and comes back with it', async () => {
    const { state, check } = asking(() => Promise.reject(new Error('away')))
    const checks = { accepting: 'ok', database: 'does not answer', migrations: 'not known' }
    expect(await check()).toMatchObject({ ready: false, checks })
    state.answer = newest(9)
    state.now = 500
    expect(await check()).toEqual({ ready: true, checks: ok })
  })

  test('ends while the database is silent', async () => {
    const { check } = asking(() => new Promise(() => {}))
    expect(await check()).toMatchObject({
      ready: false,
      checks: { database: 'no answer within 20 ms' },
    })
  })

  test('ends when the tables have become those of an older backup', async () => {
    const { state, check } = asking(newest(9))
    await check()
    state.answer = newest(8)
    state.now = 500
    expect(await check()).toMatchObject({ checks: { migrations: 'not all applied' } })
  })
})
