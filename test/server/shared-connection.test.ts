import { describe, expect, test } from 'vitest'
import type { Connection } from '../../src/server/db/connection.ts'
import { NoConnection, type Pool } from '../../src/server/db/pool.ts'
import { createSharedConnection } from '../../src/server/db/shared-connection.ts'

/** Connections by their numbers, of which so many are taken and given back. */
function createPool() {
  const out = new Set<Connection>()
  const lost = new Set<Connection>()
  let count = 0
  let failing = false
  const pool: Pool = {
    async acquire() {
      if (failing) throw new NoConnection('none is free')
      count += 1
      const name = `connection ${count}`
      const connection = {
        send: async () => name,
        isLost: () => lost.has(connection),
        isOld: () => false,
      } as unknown as Connection
      out.add(connection)
      return connection
    },
    release: (connection) => void out.delete(connection),
    close: async () => {},
  }
  let now = 0
  return {
    out: () => out.size,
    loseAll: () => {
      for (const connection of out) lost.add(connection)
    },
    fail: (fails: boolean) => {
      failing = fails
    },
    later: (ms: number) => {
      now += ms
    },
    onSharedConnection: createSharedConnection(pool, () => now),
  }
}

const name = (connection: Connection) => connection.send('select 1')

/** Holds a connection until it is ended. */
function hold(onSharedConnection: ReturnType<typeof createSharedConnection>) {
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  const done = onSharedConnection(0, async (connection) => {
    await ended
    return name(connection)
  })
  return async () => {
    end()
    return done
  }
}

describe('works of single statements', () => {
  test('that come together have one connection, which is given back after the last', async () => {
    const { onSharedConnection, out } = createPool()
    const both = Promise.all([onSharedConnection(0, name), onSharedConnection(0, name)])
    expect(await both).toEqual(['connection 1', 'connection 1'])
    expect(out()).toBe(0)
    expect(await onSharedConnection(0, name)).toBe('connection 2')
  })

  test('have another one where there are too many', async () => {
    const { onSharedConnection, out } = createPool()
    const names = await Promise.all(Array.from({ length: 70 }, () => onSharedConnection(0, name)))
    expect(new Set(names)).toEqual(new Set(['connection 1', 'connection 2', 'connection 3']))
    expect(out()).toBe(0)
  })

  test('do not join those on a connection that is lost', async () => {
    const { onSharedConnection, loseAll, out } = createPool()
    const end = hold(onSharedConnection)
    expect(await onSharedConnection(0, name)).toBe('connection 1')
    loseAll()
    expect(await onSharedConnection(0, name)).toBe('connection 2')
    expect(await end()).toBe('connection 1')
    expect(out()).toBe(0)
  })

  test('do not wait behind one that hangs', async () => {
    const { onSharedConnection, later, out } = createPool()
    const end = hold(onSharedConnection)
    later(19)
    expect(await onSharedConnection(0, name)).toBe('connection 1')
    later(1)
    expect(await onSharedConnection(0, name)).toBe('connection 2')
    expect(out()).toBe(1)
    await end()
    expect(out()).toBe(0)
  })

  test('all fail where there is none, and the next asks again', async () => {
    const { onSharedConnection, fail, out } = createPool()
    fail(true)
    const answers = await Promise.allSettled([
      onSharedConnection(0, name),
      onSharedConnection(0, name),
    ])
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    fail(false)
    expect(await onSharedConnection(0, name)).toBe('connection 1')
    expect(out()).toBe(0)
  })

  test('give the connection back though one of them fails', async () => {
    const { onSharedConnection, out } = createPool()
    const failing = onSharedConnection(0, () => Promise.reject(new Error('refused')))
    await expect(failing).rejects.toThrow('refused')
    expect(out()).toBe(0)
  })
})
