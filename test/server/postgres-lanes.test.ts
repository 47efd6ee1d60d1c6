import { describe, expect, test } from 'vitest'
import type { Answer, Lane } from '../../src/server/db/lane.ts'
import { createLanes } from '../../src/server/db/lanes.ts'

/** Connections that grow old at once, and take as long to end as the test says. */
function createLine() {
  const ending: (() => void)[] = []
  let open = 0
  let most = 0
  const dial = async (): Promise<Lane> => {
    open += 1
    most = Math.max(most, open)
    return {
      send: async () => Object.assign([], { count: 0, command: '' }) as Answer,
      isLost: () => false,
      isOld: () => true,
      isUnreplicated: () => false,
      drop: () => {},
      end: () =>
        new Promise((resolve) => {
          ending.push(() => {
            open -= 1
            resolve()
          })
        }),
    }
  }
  const endOne = () => ending.shift()?.()
  return { dial, endOne, most: () => most, open: () => open }
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('connections that end', () => {
  test('are counted until they have ended', async () => {
    const line = createLine()
    const lanes = createLanes(line.dial, 1, await line.dial())
    lanes.give(await lanes.take(performance.now()))
    const second = lanes.take(performance.now())
    await nextTurn()
    expect(line.open()).toBe(1)
    line.endOne()
    lanes.give(await second)
    expect(line.most()).toBe(1)
    line.endOne()
    await lanes.close()
  })

  test('are waited for at the close', async () => {
    const line = createLine()
    const lanes = createLanes(line.dial, 1, await line.dial())
    lanes.give(await lanes.take(performance.now()))
    let isClosed = false
    const closed = lanes.close().then(() => {
      isClosed = true
    })
    await nextTurn()
    expect(isClosed).toBe(false)
    line.endOne()
    await closed
  })
})
