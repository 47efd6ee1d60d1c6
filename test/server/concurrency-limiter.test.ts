import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  type ConcurrencyLimiter,
  createConcurrencyLimiter,
  most,
} from '../../src/server/pipeline/concurrency-limiter.ts'
import { Overloaded } from '../../src/server/pipeline/overloaded-error.ts'

let now = 0
let limiter: ConcurrencyLimiter
beforeEach(() => {
  now = 0
  limiter = createConcurrencyLimiter(() => now)
})
afterEach(() => {
  vi.useRealTimers()
})

const turn = () => new Promise((resolve) => setImmediate(resolve))

/** Requests that are answered when the test says so, the one that came first before the others. */
function createRequests() {
  const inside: (() => void)[] = []
  const order: number[] = []
  const rejected: unknown[] = []
  let made = 0
  return {
    order,
    rejected,
    inside,
    come(count: number): void {
      for (let one = 0; one < count; one += 1) {
        const number = made
        made += 1
        limiter
          .run(async () => {
            order.push(number)
            await new Promise<void>((resolve) => inside.push(resolve))
          })
          .catch((error) => rejected.push(error))
      }
    },
    /** Answers some, and lets time pass for each. */
    async answer(count: number, msEach: number): Promise<void> {
      for (const leave of inside.splice(0, count)) {
        now += msEach
        leave()
      }
      for (let turns = 0; turns < 16; turns += 1) await turn()
    },
  }
}

describe('the concurrency limiter', () => {
  test('runs all at once while there are few', async () => {
    expect(await limiter.run(async () => 'in')).toBe('in')
    await expect(limiter.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect([limiter.running(), limiter.waiting()]).toEqual([0, 0])
  })

  /** Some that wait without a permit until the test says so; how many ran when each went on. */
  function waitWithoutPermit(count: number) {
    const waits: (() => void)[] = []
    const seen: number[] = []
    const all = Array.from({ length: count }, () =>
      limiter.run(async (withoutPermit) => {
        await withoutPermit(() => new Promise<void>((resolve) => waits.push(resolve)))
        seen.push(limiter.running())
      }),
    )
    return { waits, seen, all }
  }
  const someTurns = async () => {
    for (let turns = 0; turns < 40; turns += 1) await turn()
  }

  test('gives permits to others while a request waits without one, which then goes on at once', async () => {
    const requests = createRequests()
    const { waits, seen, all } = waitWithoutPermit(most)
    await someTurns()
    expect([waits.length, limiter.running()]).toEqual([most, 0])
    requests.come(2 * most)
    await someTurns()
    expect([requests.inside.length, limiter.waiting()]).toEqual([most, most])
    waits[0]?.()
    await all[0]
    expect(seen).toEqual([most + 1])
    for (const end of waits) end()
    await Promise.all(all)
    expect([seen.length, limiter.running()]).toEqual([most, most])
    await requests.answer(most, 1)
    await requests.answer(most, 1)
    expect([limiter.running(), limiter.waiting()]).toEqual([0, 0])
  })

  test('lets requests keep their permits when many wait without one', async () => {
    const { waits, all } = waitWithoutPermit(2000)
    await someTurns()
    expect([waits.length, limiter.running()]).toEqual([500 + most, most])
    while (waits.length > 0) {
      for (const end of waits.splice(0)) end()
      await someTurns()
    }
    await Promise.all(all)
    expect([limiter.running(), limiter.waiting()]).toEqual([0, 0])
  })

  test('frees a permit when what was waited for has failed', async () => {
    const failing = () => Promise.reject(new Error('no'))
    await expect(limiter.run((withoutPermit) => withoutPermit(failing))).rejects.toThrow('no')
    expect(limiter.running()).toBe(0)
  })

  test('runs so many at a time, in the order of their arrival', async () => {
    const requests = createRequests()
    requests.come(1000)
    for (let turns = 0; turns < 40; turns += 1) await turn()
    expect([limiter.running(), limiter.waiting()]).toEqual([most, 1000 - most])
    for (let times = 0; times < 20; times += 1) await requests.answer(64, 0)
    expect([limiter.running(), limiter.waiting()]).toEqual([0, 0])
    expect(requests.order).toEqual(Array.from({ length: 1000 }, (_, place) => place))
  })

  test('begins only a part of those that have permits in one turn of the event loop', async () => {
    createRequests().come(200)
    expect(limiter.running()).toBe(32)
    await turn()
    expect(limiter.running()).toBe(64)
  })

  test('begins fewer in a turn where these take long', async () => {
    const begun: number[] = []
    for (let one = 0; one < 200; one += 1) {
      const wait = limiter.run(async () => {
        begun.push(now)
        now += 10
        await new Promise(() => {})
      })
      wait.catch(() => {})
    }
    for (let turns = 0; turns < 3; turns += 1) await turn()
    const before = begun.length
    await turn()
    await turn()
    expect(begun.length - before).toBe(4)
  })

  test('rejects none of a burst of a thousand', async () => {
    const requests = createRequests()
    requests.come(1000)
    for (let times = 0; times < 20; times += 1) {
      expect(limiter.excessWaitMs()).toBeUndefined()
      await requests.answer(64, 1)
    }
  })

  test('rejects when a long queue would take longer than three seconds', async () => {
    const requests = createRequests()
    requests.come(most + 2000)
    for (let turns = 0; turns < 10; turns += 1) await requests.answer(32, 8)
    expect(now).toBeLessThan(3000)
    expect(limiter.excessWaitMs()).toBeGreaterThan(3000)
  })

  test('rejects none of a thousand at first, however slow it is', async () => {
    const requests = createRequests()
    requests.come(1000)
    while (now < 3000) {
      expect(limiter.excessWaitMs()).toBeUndefined()
      await requests.answer(25, 20)
      requests.come(25)
    }
    expect(limiter.excessWaitMs()).toBeGreaterThan(10_000)
  })

  test('rejects when nothing moves', async () => {
    const requests = createRequests()
    requests.come(most + 1)
    await requests.answer(0, 0)
    now += 2999
    expect(limiter.excessWaitMs()).toBeUndefined()
    now += 2
    expect(limiter.excessWaitMs()).toBeGreaterThan(3000)
  })

  test('rejects after ten seconds what still waits', async () => {
    const requests = createRequests()
    requests.come(400)
    await requests.answer(0, 0)
    now += 5000
    requests.come(100)
    await requests.answer(0, 0)
    now += 5000
    await requests.answer(1, 0)
    expect(requests.rejected).toHaveLength(400 - most)
    expect(requests.rejected[0]).toBeInstanceOf(Overloaded)
    expect([limiter.running(), limiter.waiting()]).toEqual([most, 99])
    while (limiter.running() > 0) await requests.answer(most, 0)
    expect(requests.order).toHaveLength(most + 100)
  })

  test('rejects what waits although nothing that runs ever ends', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] })
    limiter = createConcurrencyLimiter()
    const requests = createRequests()
    requests.come(300)
    await requests.answer(0, 0)
    await vi.advanceTimersByTimeAsync(9900)
    requests.come(20)
    expect(requests.rejected).toEqual([])
    await vi.advanceTimersByTimeAsync(200)
    expect([requests.rejected.length, limiter.waiting()]).toEqual([300 - most, 20])
    await vi.advanceTimersByTimeAsync(10_000)
    expect([requests.rejected.length, limiter.waiting()]).toEqual([320 - most, 0])
  })

  test('rejects for a wait of a second where the queue has not been empty for long', async () => {
    const requests = createRequests()
    requests.come(most + 1200)
    await requests.answer(0, 0)
    // So many leave as come, and it takes 2 ms each: those in the queue wait for 2.4 s.
    for (let times = 0; times < 60; times += 1) {
      expect(limiter.excessWaitMs() === undefined).toBe(now <= 3000)
      await requests.answer(50, 2)
      requests.come(50)
    }
    expect(now).toBe(6000)
    while (limiter.waiting() > 400) await requests.answer(50, 2)
    expect(limiter.excessWaitMs()).toBeUndefined()
  })

  test('rejects none as soon as the queue is empty', async () => {
    const requests = createRequests()
    requests.come(3000)
    for (let times = 0; times < 20; times += 1) await requests.answer(64, 6)
    expect(limiter.excessWaitMs()).toBeGreaterThan(1000)
    while (limiter.running() > 0) await requests.answer(most, 0)
    requests.come(400)
    await requests.answer(0, 0)
    expect([limiter.excessWaitMs(), limiter.waiting()]).toEqual([undefined, 400 - most])
  })

  test('rejects for a wait of three seconds where the queue was empty for a moment only', async () => {
    const requests = createRequests()
    const empty = async () => {
      while (limiter.waiting() > 0) await requests.answer(20, 15)
    }
    requests.come(500)
    await requests.answer(0, 0)
    await empty()
    requests.come(190)
    expect(limiter.excessWaitMs()).toBeUndefined()
    requests.come(50)
    expect(limiter.excessWaitMs()).toBeGreaterThan(3000)
    await empty()
    now += 1000
    requests.come(900)
    expect(limiter.excessWaitMs()).toBeUndefined()
  })
})
