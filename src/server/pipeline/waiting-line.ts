import { createFairQueue } from './fair-queue.ts'
import type { Share } from './fair-shares.ts'
import { createFifo } from './fifo.ts'
import { Overloaded } from './overloaded.ts'

/** Nobody stands in the line for longer, even if those inside all wait for something that is away. */
const longestWaitMs = 10_000
/** Over how long it is measured how fast the line moves. */
const windowMs = 500

interface Waiter {
  share: Share
  since: number
  /** Whether it waits no more. */
  left: boolean
  enter(): void
  refuse(error: Overloaded): void
}

/**
 * Who waits, and how long that takes. Each client that is known by its credentials has its turn, and
 * all others together have one, which goes from address to address: more addresses, or ids that are
 * only claimed, get nobody more of the service.
 */
export function createWaitingLine(now: () => number, isFull: (share: Share) => boolean) {
  const clients = createFairQueue<Waiter>()
  const others = createFairQueue<Waiter>()
  /** All of them, the one that came first before the others; those that have left are still there. */
  const inOrder = createFifo<Waiter>()
  let clientsBeforeOthers = 0
  let length = 0
  let isWatched = false
  let began = 0
  let moved = 0
  let window = { since: 0, left: 0 }
  let msEach = 0

  function measure(): void {
    moved = now()
    window.left += 1
    const ms = moved - window.since
    if (ms < windowMs) return
    msEach = ms / window.left
    window = { since: moved, left: 0 }
  }

  const isBlocked = ({ share }: Waiter): boolean => isFull(share)

  function takeClient(): Waiter | undefined {
    clientsBeforeOthers -= 1
    return clients.shift(isBlocked)
  }

  function takeOther(): Waiter | undefined {
    clientsBeforeOthers = clients.shares()
    return others.shift(isBlocked)
  }

  const takeNext = (): Waiter | undefined =>
    clientsBeforeOthers > 0 ? (takeClient() ?? takeOther()) : (takeOther() ?? takeClient())

  function leave(waiter: Waiter): void {
    waiter.left = true
    length -= 1
    while (inOrder.first()?.left) inOrder.shift()
  }

  /** How long whoever comes now would wait, as the line has moved; longer where it stands still. */
  function expectedMs({ client, address }: Share): number {
    if (length === 0) return 0
    const inOwn = client === undefined ? others.lengthOf(address) : clients.lengthOf(client)
    const withOthers = client === undefined ? others.shares() : 1
    const turns = clients.shares() + (others.shares() > 0 ? 1 : 0)
    return Math.min(length, inOwn * withOthers * turns) * msEach + now() - moved
  }

  function refuseLate(): void {
    for (let waiter = inOrder.first(); waiter; waiter = inOrder.first()) {
      if (now() - waiter.since < longestWaitMs) return
      const error = Overloaded.after(expectedMs(waiter.share))
      leave(waiter)
      waiter.refuse(error)
    }
  }

  /** Looks again when it may be too late for the one that came first. */
  function watch(): void {
    refuseLate()
    const waiter = inOrder.first()
    isWatched = waiter !== undefined
    if (waiter) setTimeout(watch, waiter.since + longestWaitMs - now()).unref()
  }

  return {
    length: () => length,
    expectedMs,
    refuseLate,
    ageMs: () => (length === 0 ? 0 : now() - began),
    wait(share: Share): Promise<void> {
      if (length === 0) {
        began = now()
        moved = began
        window = { since: began, left: 0 }
        msEach = 0
      }
      length += 1
      return new Promise((enter, refuse) => {
        const waiter: Waiter = { share, since: now(), left: false, enter, refuse }
        inOrder.push(waiter)
        if (share.client === undefined) others.push(share.address, waiter)
        else clients.push(share.client, waiter)
        if (!isWatched) watch()
      })
    },
    /** Takes the next one off the line. */
    take(): Waiter | undefined {
      let next = takeNext()
      while (next?.left) next = takeNext()
      if (!next) return undefined
      leave(next)
      measure()
      return next
    },
  }
}
