import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { operations } from '#contract/operations.ts'
import {
  type ClientOptions,
  ConnectionError,
  createClient,
  type Hooks,
  type OperationId,
  TimeoutError,
} from '../../src/index.ts'
import { recorder, rejection } from '../support/recorder.ts'

// The clock of these tests moves by itself to the next timer, so no test waits.

const start = Date.parse('2026-03-16T12:00:00Z')

beforeEach(() => {
  vi.useFakeTimers({ now: start, toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] })
  vi.spyOn(Math, 'random').mockReturnValue(0.5)
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const broken = new TypeError('fetch failed')
const baseUrl = 'http://service.example'
const body = { access_token: 'token' }

/** Calls with a `fetch` that answers in turn, and lets time run until the call is over. */
async function run(
  answers: Parameters<typeof recorder>,
  options: Partial<ClientOptions> = {},
  operationId: OperationId = 'accountsGet',
) {
  const { requests, fetch } = recorder(...answers)
  const delays: number[] = []
  const hooks: Hooks = { onRetry: ({ delay }) => delays.push(delay), ...options.hooks }
  const client = createClient({ baseUrl, fetch, ...options, hooks })
  const call = client[operationId](body as never).then(
    (result) => result.error ?? result.data,
    (failure: Error) => failure,
  )
  await vi.runAllTimersAsync()
  const outcome = await call
  return { outcome, attempts: requests.length, delays, elapsed: Date.now() - start, requests }
}

const good = Response.json({ accounts: [] })

describe('a call that is safe to repeat', () => {
  test.each([
    ['a network failure', broken],
    ['a 500', rejection(500, 'INTERNAL_SERVER_ERROR')],
    ['a 503', rejection(503, 'PLANNED_MAINTENANCE')],
    ['a 429', rejection(429, 'ACCOUNTS_LIMIT')],
    ["a gateway's page", new Response('<html>', { status: 502 })],
  ])('is repeated after %s', async (_name, failure) => {
    const { outcome, attempts } = await run([failure, good])
    expect(outcome).toEqual({ accounts: [] })
    expect(attempts).toBe(2)
  })

  test('sends the same again', async () => {
    const { requests } = await run([broken, good])
    const [first, second] = await Promise.all(requests.map((request) => request.text()))
    expect(first).toBe('{"access_token":"token"}')
    expect(second).toBe(first)
  })

  test('is attempted three times by default, and then comes to what the last attempt came to', async () => {
    const rejected = await run([rejection(500, 'INTERNAL_SERVER_ERROR')])
    expect(rejected.outcome).toMatchObject({ error_code: 'INTERNAL_SERVER_ERROR' })
    expect(rejected.attempts).toBe(3)
    const lost = await run([broken])
    expect(lost.outcome).toBeInstanceOf(ConnectionError)
    expect(lost.outcome).toMatchObject({ code: 'CONNECTION_FAILED', cause: broken })
    expect(lost.attempts).toBe(3)
  })

  test('names operation, address and reason where nothing answers', async () => {
    const refused = new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } })
    const { outcome } = await run([refused])
    expect((outcome as Error).message).toBe(
      'accountsGet got no answer from http://service.example/: ECONNREFUSED',
    )
  })

  test.each([0, 1, 4])('is repeated %i times when that is set', async (retries) => {
    expect((await run([broken], { retries })).attempts).toBe(retries + 1)
  })

  test.each([
    ['a refusal', rejection(400, 'INVALID_FIELD')],
    ['a page with status 200', new Response('<html>')],
    ['a 429 that waiting does not mend', rejection(429, 'CREDITS_EXHAUSTED')],
  ])('is not repeated after %s', async (_name, failure) => {
    expect((await run([failure])).attempts).toBe(1)
  })

  test('waits at random, up to twice as long each time and 8 seconds at most', async () => {
    const { delays } = await run([broken], { retries: 7, timeout: 0 })
    expect(delays).toEqual([250, 500, 1000, 2000, 4000, 4000, 4000])
    vi.mocked(Math.random).mockReturnValue(0)
    expect((await run([broken])).delays).toEqual([0, 0])
  })
})

describe('Retry-After', () => {
  const limited = (value: string) => rejection(429, 'RATE_LIMIT', { 'Retry-After': value })

  test.each([
    ['in seconds', '3'],
    ['as a date', new Date(start + 3000).toUTCString()],
  ])('is waited for, %s', async (_name, value) => {
    const { delays, attempts } = await run([limited(value), good])
    expect(delays).toEqual([3250])
    expect(attempts).toBe(2)
  })

  test.each([
    ['12', 12],
    [new Date(start + 12_000).toUTCString(), 12],
    [new Date(start - 12_000).toUTCString(), 0],
    ['soon', undefined],
  ])('%s is %j in the error', async (value, retry_after) => {
    const { outcome } = await run([limited(value)], { retries: 0 })
    expect((outcome as { retry_after?: number }).retry_after).toBe(retry_after)
  })

  test('of a gateway is heeded as well', async () => {
    const page = (value: string) =>
      new Response('<html>', { status: 503, headers: { 'Retry-After': value } })
    expect((await run([page('3'), good])).delays).toEqual([3250])
    const late = await run([page('3600')])
    expect(late).toMatchObject({ attempts: 1, outcome: { status: 503, retry_after: 3600 } })
  })

  test('beyond the time of the call, or a minute, is left to the caller at once', async () => {
    const early = await run([limited('40')])
    expect(early).toMatchObject({ attempts: 1, elapsed: 0, outcome: { retry_after: 40 } })
    const late = await run([limited('61')], { timeout: 0 })
    expect(late).toMatchObject({ attempts: 1, elapsed: 0, outcome: { retry_after: 61 } })
  })
})

describe('a call that is safe to repeat with a key only', () => {
  const keyed = Object.entries(operations)
    .filter(([, { retrySafe }]) => !retrySafe)
    .map(([operationId]) => operationId as OperationId)
  const keysOf = (requests: readonly Request[]) =>
    requests.map(({ headers }) => headers.get('Idempotency-Key'))

  test.each(keyed)('%s sends the same key with each attempt', async (operationId) => {
    const { requests } = await run([broken, rejection(500, 'X'), good], {}, operationId)
    const [first, ...others] = keysOf(requests)
    expect(first).toMatch(/^[\d-]{7,43}$/)
    expect(others).toEqual([first, first])
  })

  test('is every operation that the contract marks so, and no other', async () => {
    const ids = Object.keys(operations) as OperationId[]
    const withKey: OperationId[] = []
    for (const id of ids) {
      const { requests } = await run([good], {}, id)
      if (keysOf(requests)[0] !== null) withKey.push(id)
    }
    expect(withKey.sort()).toEqual(keyed.sort())
  })

  test('has a key of its own', async () => {
    const { requests } = await run([good], {}, 'walletCreate')
    const { requests: later } = await run([good], {}, 'walletCreate')
    expect(keysOf(later)).not.toEqual(keysOf(requests))
  })

  test('sends no key if it is never repeated', async () => {
    const { requests } = await run([broken], { retries: 0 }, 'walletCreate')
    expect(keysOf(requests)).toEqual([null])
  })

  test('sends the key that its caller gives, also if it is never repeated', async () => {
    const { requests, fetch } = recorder(good)
    const client = createClient({ baseUrl, fetch, retries: 0 })
    await client.walletCreate({ iso_currency_code: 'GBP' }, { idempotencyKey: 'order-7' })
    expect(keysOf(requests)).toEqual(['order-7'])
  })
})

describe('the time of a call', () => {
  const never = () => new Promise<Response>(() => {})

  test('ends a `fetch` that does not come back', async () => {
    const { outcome, elapsed } = await run([never], { timeout: 1000 })
    expect(outcome).toBeInstanceOf(TimeoutError)
    expect(outcome).toMatchObject({ code: 'TIMEOUT', operationId: 'accountsGet', timeout: 1000 })
    expect(elapsed).toBe(1000)
  })

  test('is 30 seconds by default', async () => {
    expect(await run([never])).toMatchObject({ elapsed: 30_000, outcome: { timeout: 30_000 } })
  })

  test('ends a body that does not come to its end', async () => {
    const endless = async () => new Response(new ReadableStream())
    const { outcome } = await run([endless], { timeout: 1000 })
    expect(outcome).toBeInstanceOf(TimeoutError)
  })

  test('spans all attempts: no wait goes beyond it', async () => {
    const { outcome, elapsed } = await run([broken], { timeout: 1000, retries: 10 })
    expect(outcome).toBeInstanceOf(ConnectionError)
    expect(elapsed).toBeLessThan(1000)
  })

  test('is unlimited with 0', async () => {
    const late = () =>
      new Promise<Response>((answer) => setTimeout(() => answer(good.clone()), 86_400_000))
    expect((await run([late], { timeout: 0 })).outcome).toEqual({ accounts: [] })
  })

  test('leaves no timer behind', async () => {
    await run([good])
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('an abort', () => {
  test('ends the waiting, and rejects with its own reason', async () => {
    const { requests, fetch } = recorder(broken)
    const abort = new AbortController()
    const hooks = { onRetry: () => abort.abort(new Error('the user left')) }
    const call = createClient({ baseUrl, fetch, hooks }).accountsGet(body, { signal: abort.signal })
    await expect(call).rejects.toThrow('the user left')
    await vi.runAllTimersAsync()
    expect(requests).toHaveLength(1)
  })

  test('can end any number of calls, and none of them is in its way once it is over', async () => {
    const { fetch } = recorder(good)
    const { signal } = new AbortController()
    const [add, remove] = [
      vi.spyOn(signal, 'addEventListener'),
      vi.spyOn(signal, 'removeEventListener'),
    ]
    const client = createClient({ baseUrl, fetch })
    await Promise.all(Array.from({ length: 30 }, () => client.accountsGet(body, { signal })))
    // Beyond ten listeners Node warns of a leak.
    expect(add.mock.calls.length - remove.mock.calls.length).toBeLessThanOrEqual(1)
    expect(add.mock.calls.length).toBeLessThanOrEqual(1)
  })

  test('before the call sends nothing', async () => {
    const { requests, fetch } = recorder(good)
    const signal = AbortSignal.abort()
    const call = createClient({ baseUrl, fetch }).accountsGet(body, { signal })
    await expect(call).rejects.toMatchObject({ name: 'AbortError' })
    expect(requests).toHaveLength(0)
  })

  test('reaches the request that is under way', async () => {
    const { requests, fetch } = recorder(() => new Promise(() => {}))
    const abort = new AbortController()
    const call = createClient({ baseUrl, fetch }).accountsGet(body, { signal: abort.signal })
    await vi.advanceTimersByTimeAsync(0)
    abort.abort()
    await expect(call).rejects.toMatchObject({ name: 'AbortError' })
    expect(requests[0]?.signal.aborted).toBe(true)
  })
})
