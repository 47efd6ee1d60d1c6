import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Overloaded } from '../../src/server/pipeline/overloaded.ts'
import { createPlaces, most, type Places } from '../../src/server/pipeline/places.ts'

let now = 0
let places: Places
beforeEach(() => {
  now = 0
  places = createPlaces(() => now)
})
afterEach(() => {
  vi.useRealTimers()
})

const turn = () => new Promise((resolve) => setImmediate(resolve))

/** Requests that are answered when the test says so, the one that came first before the others. */
function createRequests() {
  const inside: (() => void)[] = []
  const order: number[] = []
  const refused: unknown[] = []
  let made = 0
  return {
    order,
    refused,
    inside,
    come(count: number): void {
      for (let one = 0; one < count; one += 1) {
        const number = made
        made += 1
        places
          .pass(async () => {
            order.push(number)
            await new Promise<void>((resolve) => inside.push(resolve))
          })
          .catch((error) => refused.push(error))
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

describe('places', () => {
  test('let all in while there are few, and at once', async () => {
    expect(await places.pass(async () => 'in')).toBe('in')
    await expect(places.pass(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect([places.inside(), places.waiting()]).toEqual([0, 0])
  })

  /** Some who wait outside until the test says so; how many were inside when each came in again. */
  function waitOutside(count: number) {
    const waits: (() => void)[] = []
    const seen: number[] = []
    const all = Array.from({ length: count }, () =>
      places.pass(async (outside) => {
        await outside(() => new Promise<void>((resolve) => waits.push(resolve)))
        seen.push(places.inside())
      }),
    )
    return { waits, seen, all }
  }
  const someTurns = async () => {
    for (let turns = 0; turns < 40; turns += 1) await turn()
  }

  test('are given to others while somebody waits outside, who then comes in at once', async () => {
    const requests = createRequests()
    const { waits, seen, all } = waitOutside(most)
    await someTurns()
    expect([waits.length, places.inside()]).toEqual([most, 0])
    requests.come(2 * most)
    await someTurns()
    expect([requests.inside.length, places.waiting()]).toEqual([most, most])
    waits[0]?.()
    await all[0]
    expect(seen).toEqual([most + 1])
    for (const end of waits) end()
    await Promise.all(all)
    expect([seen.length, places.inside()]).toEqual([most, most])
    await requests.answer(most, 1)
    await requests.answer(most, 1)
    expect([places.inside(), places.waiting()]).toEqual([0, 0])
  })

  test('are kept by those who wait outside when many do', async () => {
    const { waits, all } = waitOutside(2000)
    await someTurns()
    expect([waits.length, places.inside()]).toEqual([500 + most, most])
    while (waits.length > 0) {
      for (const end of waits.splice(0)) end()
      await someTurns()
    }
    await Promise.all(all)
    expect([places.inside(), places.waiting()]).toEqual([0, 0])
  })

  test('are free again when what was waited for has failed', async () => {
    const failing = () => Promise.reject(new Error('no'))
    await expect(places.pass((outside) => outside(failing))).rejects.toThrow('no')
    expect(places.inside()).toBe(0)
  })

  test('let in so many at a time, who came first before the others', async () => {
    const requests = createRequests()
    requests.come(1000)
    for (let turns = 0; turns < 40; turns += 1) await turn()
    expect([places.inside(), places.waiting()]).toEqual([most, 1000 - most])
    for (let times = 0; times < 20; times += 1) await requests.answer(64, 0)
    expect([places.inside(), places.waiting()]).toEqual([0, 0])
    expect(requests.order).toEqual(Array.from({ length: 1000 }, (_, place) => place))
  })

  test('let a turn of the event loop begin only a part of those that there is room for', async () => {
    createRequests().come(200)
    expect(places.inside()).toBe(32)
    await turn()
    expect(places.inside()).toBe(64)
  })

  test('let fewer begin in a turn where these take long', async () => {
    const begun: number[] = []
    for (let one = 0; one < 200; one += 1) {
      const wait = places.pass(async () => {
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

  test('are too few for nobody in a burst of a thousand', async () => {
    const requests = createRequests()
    requests.come(1000)
    for (let times = 0; times < 20; times += 1) {
      expect(places.excess()).toBeUndefined()
      await requests.answer(64, 1)
    }
  })

  test('are too few when a long line would take longer than three seconds', async () => {
    const requests = createRequests()
    requests.come(most + 2000)
    for (let turns = 0; turns < 10; turns += 1) await requests.answer(32, 8)
    expect(now).toBeLessThan(3000)
    expect(places.excess()).toBeGreaterThan(3000)
  })

  test('are enough for a thousand at first, however slow it is', async () => {
    const requests = createRequests()
    requests.come(1000)
    while (now < 3000) {
      expect(places.excess()).toBeUndefined()
      await requests.answer(25, 20)
      requests.come(25)
    }
    expect(places.excess()).toBeGreaterThan(10_000)
  })

  test('are too few when nothing moves', async () => {
    const requests = createRequests()
    requests.come(most + 1)
    await requests.answer(0, 0)
    now += 2999
    expect(places.excess()).toBeUndefined()
    now += 2
    expect(places.excess()).toBeGreaterThan(3000)
  })

  test('are given up after ten seconds by whoever still stands in the line', async () => {
    const requests = createRequests()
    requests.come(400)
    await requests.answer(0, 0)
    now += 5000
    requests.come(100)
    await requests.answer(0, 0)
    now += 5000
    await requests.answer(1, 0)
    expect(requests.refused).toHaveLength(400 - most)
    expect(requests.refused[0]).toBeInstanceOf(Overloaded)
    expect([places.inside(), places.waiting()]).toEqual([most, 99])
    while (places.inside() > 0) await requests.answer(most, 0)
    expect(requests.order).toHaveLength(most + 100)
  })

  test('are given up although nobody inside ever leaves', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] })
    places = createPlaces()
    const requests = createRequests()
    requests.come(300)
    await requests.answer(0, 0)
    await vi.advanceTimersByTimeAsync(9900)
    requests.come(20)
    expect(requests.refused).toEqual([])
    await vi.advanceTimersByTimeAsync(200)
    expect([requests.refused.length, places.waiting()]).toEqual([300 - most, 20])
    await vi.advanceTimersByTimeAsync(10_000)
    expect([requests.refused.length, places.waiting()]).toEqual([320 - most, 0])
  })

  test('are too few for a wait of a second where the line has never been empty', async () => {
    const requests = createRequests()
    requests.come(most + 1200)
    await requests.answer(0, 0)
    // So many leave as come, and it takes 2 ms each: those in the line wait for 2.4 s.
    for (let times = 0; times < 60; times += 1) {
      expect(places.excess() === undefined).toBe(now <= 3000)
      await requests.answer(50, 2)
      requests.come(50)
    }
    expect(now).toBe(6000)
    while (places.waiting() > 400) await requests.answer(50, 2)
    expect(places.excess()).toBeUndefined()
  })

  test('are free again as soon as the line is gone', async () => {
    const requests = createRequests()
    requests.come(3000)
    for (let times = 0; times < 20; times += 1) await requests.answer(64, 6)
    expect(places.excess()).toBeGreaterThan(1000)
    while (places.inside() > 0) await requests.answer(most, 0)
    requests.come(400)
    await requests.answer(0, 0)
    expect([places.excess(), places.waiting()]).toEqual([undefined, 400 - most])
  })
})
