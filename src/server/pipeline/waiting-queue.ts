import type { Share } from './fair-shares.ts'
import { Overloaded } from './overloaded-error.ts'

/** The maximum wait of a request, even if all running requests wait for something unavailable. */
const longestWaitMs = 10_000
/** The period over which the speed of the queue is measured. */
const windowMs = 500
/** A queue that was empty for less is no new one: for a moment, too much can have been rejected. */
const calmMs = 1000
/** The key for all requests without a known client. No client has an empty id. */
const othersKey = ''

interface Waiter {
  share: Share
  since: number
  enter(): void
  reject(error: Overloaded): void
}

/**
 * The waiting requests and their waiting times. Each client with known credentials has its own
 * share, and shares are served round robin. All other requests have one share together, which
 * alternates between addresses. So more addresses, or claimed client ids, do not get more capacity.
 */
export function createWaitingQueue(now: () => number, isFull: (share: Share) => boolean) {
  const others = new Map<string, Waiter[]>()
  /** In the order in which shares are served. */
  const clients = new Map<string, Waiter[] | typeof others>()
  /** All of them, in the order of their arrival. */
  const waiters = new Set<Waiter>()
  let isWatched = false
  let began = 0
  let moved = 0
  let emptied = Number.NEGATIVE_INFINITY
  let isNew = true
  let window = { since: 0, left: 0 }
  let msEach = 0

  function add(waiter: Waiter): void {
    const { client, address } = waiter.share
    waiters.add(waiter)
    if (client === undefined) clients.set(othersKey, others)
    const [queues, key] = client === undefined ? [others, address] : [clients, client]
    const queue = queues.get(key)
    if (Array.isArray(queue)) queue.push(waiter)
    else queues.set(key, [waiter])
  }

  /** Removes the first waiter of a share. The share then moves behind all others. */
  function remove(waiter: Waiter): void {
    const { client, address } = waiter.share
    waiters.delete(waiter)
    if (client === undefined) {
      rotate(others, address)
      clients.delete(othersKey)
      if (others.size > 0) clients.set(othersKey, others)
    } else rotate(clients, client)
    if (waiters.size === 0) emptied = now()
  }

  function next(): Waiter | undefined {
    for (const queue of clients.values()) {
      for (const [first] of Array.isArray(queue) ? [queue] : queue.values()) {
        if (first && !isFull(first.share)) return first
      }
    }
    return undefined
  }

  function measure(): void {
    moved = now()
    window.left += 1
    const ms = moved - window.since
    if (ms < windowMs) return
    msEach = ms / window.left
    window = { since: moved, left: 0 }
  }

  /**
   * How long a new request would wait at the measured speed. Longer if nothing was served lately.
   */
  function expectedMs({ client, address }: Share): number {
    if (waiters.size === 0) return 0
    const own = client === undefined ? others.get(address) : clients.get(client)
    const length = Array.isArray(own) ? own.length : 0
    const withOthers = client === undefined ? others.size : 1
    return Math.min(waiters.size, length * withOthers * clients.size) * msEach + now() - moved
  }

  function rejectLate(): void {
    for (const waiter of waiters) {
      if (now() - waiter.since < longestWaitMs) return
      const error = Overloaded.after(expectedMs(waiter.share))
      remove(waiter)
      waiter.reject(error)
    }
  }

  /** Checks again when the oldest request may reach its time limit. */
  function watch(): void {
    rejectLate()
    const [first] = waiters
    isWatched = first !== undefined
    if (first) setTimeout(watch, first.since + longestWaitMs - now()).unref()
  }

  return {
    length: () => waiters.size,
    expectedMs,
    rejectLate,
    /** How long the queue has not been empty. */
    ageMs: () => (waiters.size === 0 ? 0 : now() - began),
    /** Whether it began after a calm. The speed of another one is known. */
    isNew: () => isNew,
    wait(share: Share): Promise<void> {
      if (waiters.size === 0) {
        began = now()
        moved = began
        window = { since: began, left: 0 }
        isNew = began - emptied >= calmMs
        if (isNew) msEach = 0
      }
      return new Promise((enter, reject) => {
        add({ share, since: now(), enter, reject })
        if (!isWatched) watch()
      })
    },
    /** Removes the next waiter from the queue. */
    take(): Waiter | undefined {
      const waiter = next()
      if (!waiter) return undefined
      remove(waiter)
      measure()
      return waiter
    },
  }
}

/** Removes the first waiter of a share, and moves the share behind the others. */
function rotate(queues: Map<string, unknown>, key: string): void {
  const queue = queues.get(key) as Waiter[]
  queue.shift()
  queues.delete(key)
  if (queue.length > 0) queues.set(key, queue)
}
