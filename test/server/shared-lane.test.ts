import { describe, expect, test } from 'vitest'
import type { Lane } from '../../src/server/db/lane.ts'
import { type Lanes, NoLane } from '../../src/server/db/lanes.ts'
import { createSharedLane } from '../../src/server/db/shared-lane.ts'

/** Connections by their numbers, of which so many are taken and given back. */
function createLanes() {
  const out = new Set<Lane>()
  const lost = new Set<Lane>()
  let count = 0
  let failing = false
  const lanes: Lanes = {
    async take() {
      if (failing) throw new NoLane('none is free')
      count += 1
      const name = `lane ${count}`
      const lane = {
        send: async () => name,
        isLost: () => lost.has(lane),
        isOld: () => false,
      } as unknown as Lane
      out.add(lane)
      return lane
    },
    give: (lane) => void out.delete(lane),
    close: async () => {},
  }
  let now = 0
  return {
    out: () => out.size,
    loseAll: () => {
      for (const lane of out) lost.add(lane)
    },
    fail: (fails: boolean) => {
      failing = fails
    },
    later: (ms: number) => {
      now += ms
    },
    onSharedLane: createSharedLane(lanes, () => now),
  }
}

const name = (lane: Lane) => lane.send('select 1')

/** Has a connection until it is told to end. */
function hold(onSharedLane: ReturnType<typeof createSharedLane>) {
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  const done = onSharedLane(0, async (lane) => {
    await ended
    return name(lane)
  })
  return async () => {
    end()
    return done
  }
}

describe('works of single statements', () => {
  test('that come together have one connection, which is given back after the last', async () => {
    const { onSharedLane, out } = createLanes()
    const both = Promise.all([onSharedLane(0, name), onSharedLane(0, name)])
    expect(await both).toEqual(['lane 1', 'lane 1'])
    expect(out()).toBe(0)
    expect(await onSharedLane(0, name)).toBe('lane 2')
  })

  test('have another one where there are too many', async () => {
    const { onSharedLane, out } = createLanes()
    const names = await Promise.all(Array.from({ length: 70 }, () => onSharedLane(0, name)))
    expect(new Set(names)).toEqual(new Set(['lane 1', 'lane 2', 'lane 3']))
    expect(out()).toBe(0)
  })

  test('do not join those on a connection that is lost', async () => {
    const { onSharedLane, loseAll, out } = createLanes()
    const end = hold(onSharedLane)
    expect(await onSharedLane(0, name)).toBe('lane 1')
    loseAll()
    expect(await onSharedLane(0, name)).toBe('lane 2')
    expect(await end()).toBe('lane 1')
    expect(out()).toBe(0)
  })

  test('do not wait behind one that hangs', async () => {
    const { onSharedLane, later, out } = createLanes()
    const end = hold(onSharedLane)
    later(19)
    expect(await onSharedLane(0, name)).toBe('lane 1')
    later(1)
    expect(await onSharedLane(0, name)).toBe('lane 2')
    expect(out()).toBe(1)
    await end()
    expect(out()).toBe(0)
  })

  test('are all told where there is none, and the next asks again', async () => {
    const { onSharedLane, fail, out } = createLanes()
    fail(true)
    const answers = await Promise.allSettled([onSharedLane(0, name), onSharedLane(0, name)])
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    fail(false)
    expect(await onSharedLane(0, name)).toBe('lane 1')
    expect(out()).toBe(0)
  })

  test('give the connection back though one of them fails', async () => {
    const { onSharedLane, out } = createLanes()
    const failing = onSharedLane(0, () => Promise.reject(new Error('refused')))
    await expect(failing).rejects.toThrow('refused')
    expect(out()).toBe(0)
  })
})
