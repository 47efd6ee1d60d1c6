import type { Share } from './fair-shares.ts'
import { Overloaded } from './overloaded.ts'

/** No request waits for longer, even if all that run wait for something that is away. */
const longestWaitMs = 10_000
/** Over how long the speed of the queue is measured. */
const windowMs = 500
/** The key of everybody whose client is not known. No client has an empty id. */
const othersKey = ''

interface Waiter {
  share: Share
  since: number
  enter(): void
  reject(error: Overloaded): void
}

/**
 * The requests that wait, and for how long. Each client that is known by its credentials has its turn
 * (round robin). All others together have one turn, which goes from address to address: more
 * addresses, or ids that are only claimed, get nobody more of the service.
 */
export function createWaitingQueue(now: () => number, isFull: (share: Share) => boolean) {
  const others = new Map<string, Waiter[]>()
  /** In the order of the turns. */
  const clients = new Map<string, Waiter[] | typeof others>()
  /** All of them, in the order of their arrival. */
  const waiters = new Set<Waiter>()
  let isWatched = false
  let began = 0
  let moved = 0
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

  /** Removes a waiter that is the first of its share, which then has its next turn after all others. */
  function remove(waiter: Waiter): void {
    const { client, address } = waiter.share
    waiters.delete(waiter)
    if (client === undefined) {
      rotate(others, address)
      clients.delete(othersKey)
      if (others.size > 0) clients.set(othersKey, others)
    } else rotate(clients, client)
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

  /** How long a request that came now would wait at the measured speed; longer while nothing moves. */
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

  /** Looks again when it may be too late for the one that came first. */
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
    wait(share: Share): Promise<void> {
      if (waiters.size === 0) {
        began = now()
        moved = began
        window = { since: began, left: 0 }
        msEach = 0
      }
      return new Promise((enter, reject) => {
        add({ share, since: now(), enter, reject })
        if (!isWatched) watch()
      })
    },
    /** Takes the next one off the queue. */
    take(): Waiter | undefined {
      const waiter = next()
      if (!waiter) return undefined
      remove(waiter)
      measure()
      return waiter
    },
  }
}

/** Takes the first of a share, which then stands behind the other shares. */
function rotate(queues: Map<string, unknown>, key: string): void {
  const queue = queues.get(key) as Waiter[]
  queue.shift()
  queues.delete(key)
  if (queue.length > 0) queues.set(key, queue)
}
