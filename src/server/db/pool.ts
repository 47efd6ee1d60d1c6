import type { Connection } from './connection.ts'
import { outageMs } from './limits.ts'

/** A limited number of connections. Callers get them in the order of their requests. */
export interface Pool {
  /**
   * Waits for a free one. Fails with `NoConnection` when the time limit after `since` has passed.
   */
  acquire(since: number): Promise<Connection>
  release(connection: Connection): void
  /** Closes all of them. Those in use are closed when they are released. */
  close(): Promise<void>
}

/** The wait for a connection, or for earlier work, took too long. */
export class NoConnection extends Error {
  /** Whether the database is available, so that the wait was caused by other work. */
  readonly isBusy: boolean
  constructor(message: string, { isBusy = false } = {}) {
    super(message)
    this.isBusy = isBusy
  }
}

interface Waiter {
  resolve(connection: Connection): void
  reject(error: NoConnection): void
  timer: NodeJS.Timeout
}

/** The pause between attempts to open a connection, while they fail. */
const pauseMs = 100

export function createPool(open: () => Promise<Connection>, size: number, first: Connection): Pool {
  const free: Connection[] = [first]
  const waiting = new Set<Waiter>()
  let count = 1
  let opening = 0
  /** Why the last attempt to open one failed. */
  let failure: Error | undefined
  let pause: NodeJS.Timeout | undefined
  let closed: (() => void) | undefined

  /** Opens one for each waiting caller, but one at a time while attempts fail. */
  function openMore(): void {
    const most = failure ? 1 : waiting.size
    while (!pause && opening < Math.min(most, waiting.size) && count < size) {
      opening += 1
      count += 1
      void openOne()
    }
  }

  async function openOne(): Promise<void> {
    try {
      const connection = await open()
      opening -= 1
      failure = undefined
      arrive(connection)
    } catch (error) {
      opening -= 1
      count -= 1
      failure = error as Error
      pause ??= setTimeout(() => {
        pause = undefined
        openMore()
      }, pauseMs)
    }
    openMore()
    seeWhetherClosed()
  }

  function arrive(connection: Connection): void {
    const [next] = waiting
    if (!next) return void free.push(connection)
    waiting.delete(next)
    clearTimeout(next.timer)
    next.resolve(connection)
  }

  /** Another one can be opened after this one has ended. A lost one ends immediately. */
  function discard(connection: Connection): void {
    const leave = () => {
      count -= 1
      openMore()
      seeWhetherClosed()
    }
    void connection.end().then(leave, leave)
  }

  /** The wait is shorter while none can be opened, since those in use may be lost too. */
  function wait(waiter: Waiter, ms: number, isLast = false): void {
    waiter.timer = setTimeout(() => {
      if (!failure && !isLast) return wait(waiter, outageMs, true)
      waiting.delete(waiter)
      const message = failure?.message ?? 'all connections to the database are in use'
      waiter.reject(new NoConnection(message, { isBusy: !failure }))
    }, ms)
  }

  function seeWhetherClosed(): void {
    if (free.length === count) closed?.()
  }

  return {
    acquire(since) {
      for (let connection = free.pop(); connection; connection = free.pop()) {
        if (!connection.isLost()) return Promise.resolve(connection)
        discard(connection)
      }
      return new Promise((resolve, reject) => {
        const waiter = { resolve, reject } as Waiter
        wait(waiter, Math.max(0, since + outageMs - performance.now()))
        waiting.add(waiter)
        openMore()
      })
    },
    release(connection) {
      if (!connection.isLost() && !connection.isOld()) arrive(connection)
      else {
        // If one connection is lost, the others are probably lost too.
        if (connection.isLost()) for (const other of free.splice(0)) discard(other)
        discard(connection)
      }
      seeWhetherClosed()
    },
    async close() {
      if (free.length < count) await new Promise<void>((resolve) => (closed = resolve))
      await Promise.all(free.map((connection) => connection.end()))
    },
  }
}
