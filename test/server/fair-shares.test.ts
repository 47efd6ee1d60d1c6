import { describe, expect, test } from 'vitest'
import { currentVersion } from '../../generated/versions.ts'
import type { Database } from '../../src/server/kernel/database.ts'
import { createConcurrencyLimiter } from '../../src/server/pipeline/concurrency-limiter.ts'
import {
  commonShare,
  createFairShares,
  type FairShares,
  type Share,
} from '../../src/server/pipeline/fair-shares.ts'
import { createRateLimits } from '../../src/server/pipeline/rate-limits.ts'
import { describeOperation } from '../../src/server/versions/select-version.ts'

const headersOf = (clientId: string, secret: string) => ({
  'service-client-id': clientId,
  'service-secret': secret,
})
const hash = (secret: string) => `hash of ${secret}`
/** Finds the credentials of client one right. */
const know = (shares: FairShares) => shares.know('one', hash('right'))

describe('the share of a request', () => {
  test('is that of its client once its credentials have been found right', () => {
    const shares = createFairShares(hash)
    const headers = headersOf('one', 'right')
    const first = shares.of({ headers, peer: () => '192.0.2.1' })
    expect([first.client, first.address]).toEqual([undefined, '192.0.2.1'])
    know(shares)
    expect(shares.of({ headers }).client).toBe('one')
  })

  test('is the same wherever the credentials stand', () => {
    const shares = createFairShares(hash)
    know(shares)
    const body = Buffer.from('{"client_id": "one", "options": {}, "secret":"right"}')
    expect(shares.of({ headers: {}, body }).client).toBe('one')
    const authorization = `Basic ${Buffer.from('one:right').toString('base64')}`
    expect(shares.of({ headers: { authorization } }).client).toBe('one')
  })

  test('takes both parts from one place', () => {
    const shares = createFairShares(hash)
    know(shares)
    const body = Buffer.from('{"client_id": "one", "secret": "right"}')
    expect(shares.of({ headers: { 'service-client-id': 'one' }, body }).client).toBe('one')
    expect(shares.of({ headers: { 'service-secret': 'right' }, body }).client).toBe('one')
    const halves = { 'service-client-id': 'one' }
    const other = Buffer.from('{"client_id": "two", "secret": "right"}')
    expect(shares.of({ headers: halves, body: other }).credentials).toMatchObject({
      clientId: 'two',
    })
    expect(shares.of({ headers: halves }).credentials).toBeUndefined()
  })

  test('is found in escaped text, and in no body that is long or cut', () => {
    const shares = createFairShares(hash)
    know(shares)
    const inBody = (text: string) => shares.of({ headers: {}, body: Buffer.from(text) }).client
    expect(inBody('{"client_id":"o\\u006ee","client_secret" : "right"}')).toBe('one')
    const whole = '{"client_id":"one","secret":"right"}'
    expect(inBody(whole.padEnd(4096))).toBe('one')
    expect(inBody(whole.padEnd(4097))).toBeUndefined()
    expect(inBody('{"client_id":"one","secret":"rig')).toBeUndefined()
    expect(inBody('{"client_id":"one"}')).toBeUndefined()
    expect(inBody('{"client_id":"one","secret":"\\x"}')).toBeUndefined()
  })

  test('is not that of a client whose id is only claimed', () => {
    const shares = createFairShares(hash)
    know(shares)
    expect(shares.of({ headers: headersOf('one', 'wrong') }).client).toBeUndefined()
    expect(shares.of({ headers: { 'service-client-id': 'one' } }).client).toBeUndefined()
    expect(shares.of({ headers: { authorization: 'Basic %' } }).client).toBeUndefined()
  })

  test('is not learned from credentials beside those that were checked', () => {
    const shares = createFairShares(hash)
    const body = Buffer.from('{"client_id":"two","secret":"of two"}')
    know(shares)
    expect(
      shares.hashOf({ clientId: 'one', secret: 'right' }, shares.of({ headers: {}, body })),
    ).toBe(hash('right'))
    expect(shares.of({ headers: {}, body }).client).toBeUndefined()
  })

  test('is lost with credentials that are no longer right', () => {
    const shares = createFairShares(hash)
    const headers = headersOf('one', 'right')
    know(shares)
    shares.forget('one', hash('right'))
    expect(shares.of({ headers }).client).toBeUndefined()
  })
})

const client = (id: string): Share => ({ ...commonShare, client: id })
const from = (address: string): Share => ({ ...commonShare, address })
const turn = () => new Promise((resolve) => setImmediate(resolve))

/** Lets requests of these shares come, and returns in which order they come in. */
async function orderOf(comers: readonly Share[], sizes: { all: number; ofShare: number }) {
  const limiter = createConcurrencyLimiter(() => 0, sizes)
  const order: string[] = []
  const leaving: (() => void)[] = []
  for (const share of comers) {
    void limiter.run(async () => {
      order.push(share.client ?? share.address)
      await new Promise<void>((resolve) => leaving.push(resolve))
    }, share)
  }
  const inside: number[] = []
  for (let turns = 0; turns < 200 && order.length < comers.length; turns += 1) {
    await turn()
    inside.push(limiter.running())
    leaving.shift()?.()
  }
  return { order, most: Math.max(...inside), limiter }
}

describe('requests that wait', () => {
  const many = Array.from({ length: 20 }, () => client('busy'))

  test('are admitted round robin by client, and in order for each', async () => {
    const { order } = await orderOf([...many, client('two'), client('three'), client('two')], {
      all: 1,
      ofShare: 1,
    })
    expect(order.slice(0, 6)).toEqual(['busy', 'busy', 'two', 'three', 'busy', 'two'])
  })

  test('have one turn for all addresses together where no client is known', async () => {
    const strangers = Array.from({ length: 20 }, (_, number) => from(`192.0.2.${number}`))
    const { order } = await orderOf([...strangers, ...many.slice(0, 8)], { all: 1, ofShare: 1 })
    const early = order.slice(1, 13).filter((name) => name === 'busy')
    expect(early.length).toBeGreaterThanOrEqual(6)
  })

  test('leave some permits to others, and take none from clients with as many', async () => {
    const { order, most } = await orderOf([...many, client('two')], { all: 4, ofShare: 3 })
    expect(most).toBe(4)
    expect(order.slice(0, 4)).toEqual(['busy', 'busy', 'busy', 'two'])
    expect(order).toHaveLength(21)
  })

  test('are too many only for the share that they are of', async () => {
    let now = 0
    const limiter = createConcurrencyLimiter(() => now, { all: 1, ofShare: 1 })
    const leaving: (() => void)[] = []
    for (let made = 0; made < 2000; made += 1) {
      const wait = () => new Promise<void>((resolve) => leaving.push(resolve))
      limiter.run(wait, client('busy')).catch(() => {})
    }
    for (let answered = 0; answered < 100; answered += 1) {
      await turn()
      now += 10
      leaving.shift()?.()
    }
    await turn()
    expect(limiter.excessWaitMs(() => client('busy'))).toBeGreaterThan(3000)
    expect(limiter.excessWaitMs(() => client('two'))).toBeUndefined()
    expect(limiter.excessWaitMs(() => from('192.0.2.1'))).toBeUndefined()
  })
})

test('a client that is beyond its limit costs no statement until the window ends', async () => {
  let now = 60_000
  let calls = 0
  const database = {
    transaction: async (work: (db: object) => Promise<unknown>) =>
      work({ first: async () => ({ calls: ++calls }) }),
  } as unknown as Database
  const limits = createRateLimits('production', database, () => now)
  const { operation } = await describeOperation('walletList', currentVersion)
  const most = operation.rateLimits?.production?.per_client ?? 0
  const count = () => limits.count({ client_id: 'one' } as never, operation, () => undefined)
  for (let made = 0; made < most; made += 1) await count()
  for (let made = 0; made < 10; made += 1) {
    await expect(count()).rejects.toMatchObject({ status: 429 })
  }
  expect(calls).toBe(most + 1)
  now += 60_000
  calls = 0
  await count()
  expect(calls).toBe(1)
})
