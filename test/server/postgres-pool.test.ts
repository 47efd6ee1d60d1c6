import { describe, expect, test } from 'vitest'
import type { Answer, Connection } from '../../src/server/db/connection.ts'
import { createPool } from '../../src/server/db/pool.ts'

/** Connections that grow old at once, and take as long to end as the test says. */
function createLine() {
  const ending: (() => void)[] = []
  let open = 0
  let most = 0
  const dial = async (): Promise<Connection> => {
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
    const pool = createPool(line.dial, 1, await line.dial())
    pool.release(await pool.acquire(performance.now()))
    const second = pool.acquire(performance.now())
    await nextTurn()
    expect(line.open()).toBe(1)
    line.endOne()
    pool.release(await second)
    expect(line.most()).toBe(1)
    line.endOne()
    await pool.close()
  })

  test('are waited for at the close', async () => {
    const line = createLine()
    const pool = createPool(line.dial, 1, await line.dial())
    pool.release(await pool.acquire(performance.now()))
    let isClosed = false
    const closed = pool.close().then(() => {
      isClosed = true
    })
    await nextTurn()
    expect(isClosed).toBe(false)
    line.endOne()
    await closed
  })
})
