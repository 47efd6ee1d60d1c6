import { createCounts } from '../kernel/counts.ts'
import { commonShare, type Share } from './fair-shares.ts'
import { createWaitingQueue } from './waiting-queue.ts'

/** Runs a limited number of requests at once. The others wait in a queue, up to a time limit. */
export interface ConcurrencyLimiter {
  /**
   * How long a new request would wait, in ms, if that exceeds the limit. Otherwise undefined.
   * `share` is called only if many requests wait.
   */
  excessWaitMs(shareOf?: () => Share): number | undefined
  /** Runs `work` once it has a permit. Throws Overloaded if the wait would be too long. */
  run<Result>(
    work: (withoutPermit: WithoutPermit) => Promise<Result>,
    share?: Share,
  ): Promise<Result>
  running(): number
  waiting(): number
}

/** Releases the permit during a wait that uses no resources. */
export type WithoutPermit = (wait: () => Promise<unknown>) => Promise<void>

/**
 * How many requests run at once. They wait for each other: writes of a client for its commits, and
 * all for connections to PostgreSQL. More requests at once would only wait longer.
 */
export const most = 96
/** How many of these may be of one client. */
export const mostOfClient = 64
const mostWaiting = 20_000
/** How many requests have released their permits. These continue without queueing again. */
const mostWithoutPermit = 500
/**
 * How many requests begin in one turn of the event loop. During the turn no other request begins or
 * is rejected, and health checks wait.
 */
const inATurn = { most: 32, ms: 20 }
/**
 * A burst of requests is not an overload, so its requests wait. If the queue has not been empty for
 * long, more requests arrive than the service can handle. A short queue then has the same
 * throughput and shorter waits.
 */
const patienceMs = { burst: 3000, standing: 1000 }
const burstMs = 3000
/** A new queue up to this length is accepted, however slow the machine is. */
const shortQueue = { length: 1000, ageMs: 3000 }

/** How many requests run at once, and how many of these may be of one share. */
interface Sizes {
  all: number
  ofShare: number
}

export function createConcurrencyLimiter(
  now: () => number = () => performance.now(),
  sizes: Sizes = { all: most, ofShare: most },
): ConcurrencyLimiter {
  const counts = createCounts()
  const isFull = (share: Share): boolean => counts.of(keyOf(share)) >= sizes.ofShare
  const queue = createWaitingQueue(now, isFull)
  let running = 0
  let withoutPermit = 0
  let begun = 0
  let began = 0
  let mayBegin = inATurn.most
  let isTurnPlanned = false

  function count(share: Share, more: 1 | -1): void {
    running += more
    counts.add(keyOf(share), more)
  }

  const hasPermit = (): boolean => running < sizes.all && begun < mayBegin

  function turn(): void {
    isTurnPlanned = false
    begun = 0
    began = now()
    queue.rejectLate()
    while (hasPermit()) {
      const next = queue.take()
      if (!next) break
      acquire(next.share)
      next.enter()
    }
  }

  /** Runs once the requests of this turn have done all work that needs no wait. */
  function measure(): void {
    if (begun === 0) return
    const fits = Math.floor((inATurn.ms * begun) / (now() - began))
    mayBegin = Math.max(1, Math.min(fits, mayBegin * 2, inATurn.most))
  }

  /** More may begin in the next turn of the event loop, if a permit is free. */
  function planTurn(): void {
    if (isTurnPlanned || running >= sizes.all) return
    isTurnPlanned = true
    setImmediate(turn)
    setImmediate(measure)
  }

  function acquire(share: Share): void {
    count(share, 1)
    begun += 1
    planTurn()
  }

  function release(share: Share): void {
    count(share, -1)
    if (queue.length() > 0) planTurn()
  }

  async function waitWithoutPermit(share: Share, wait: () => Promise<unknown>): Promise<void> {
    if (withoutPermit >= mostWithoutPermit) return void (await wait())
    withoutPermit += 1
    release(share)
    try {
      await wait()
    } finally {
      withoutPermit -= 1
      acquire(share)
    }
  }

  return {
    running: () => running,
    waiting: queue.length,
    excessWaitMs(shareOf = () => commonShare) {
      const age = queue.ageMs()
      const isShort = queue.length() < shortQueue.length && age < shortQueue.ageMs
      if (isShort && queue.isNew()) return undefined
      const expected = queue.expectedMs(shareOf())
      const patience = age > burstMs ? patienceMs.standing : patienceMs.burst
      return expected > patience || queue.length() >= mostWaiting ? expected : undefined
    },
    async run(work, share = commonShare) {
      if (queue.length() === 0 && hasPermit() && !isFull(share)) acquire(share)
      else {
        planTurn()
        await queue.wait(share)
      }
      try {
        return await work((wait) => waitWithoutPermit(share, wait))
      } finally {
        release(share)
      }
    },
  }
}

/** A client id never has the form of an address. */
const keyOf = ({ client, address }: Share): string => client ?? `from ${address}`
