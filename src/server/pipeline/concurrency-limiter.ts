import { commonShare, type Share } from './fair-shares.ts'
import { createWaitingQueue } from './waiting-queue.ts'

/** Runs a limited number of requests at once; the others wait, as long as that is not for too long. */
export interface ConcurrencyLimiter {
  /**
   * How long a request that came now would wait, in ms, if that is too long; undefined where it is
   * not. The share is asked for only where many wait.
   */
  excessMs(shareOf?: () => Share): number | undefined
  /** Runs `work` once it has a permit; throws Overloaded where it would wait for too long. */
  run<Result>(
    work: (withoutPermit: WithoutPermit) => Promise<Result>,
    share?: Share,
  ): Promise<Result>
  running(): number
  waiting(): number
}

/** Gives the permit back while somebody waits for something that uses no resources. */
export type WithoutPermit = (wait: () => Promise<unknown>) => Promise<void>

/**
 * How many requests run at once. They wait for each other: the writes of a client for its commits, and
 * all for connections to PostgreSQL. So more would only make all of them wait longer.
 */
export const most = 96
/** How many of these may be of one client. */
export const mostOfClient = 64
const mostWaiting = 20_000
/** How many have given their permits back: these go on without waiting in the queue again. */
const mostWithoutPermit = 500
/**
 * How many begin in one turn of the event loop. The turn takes as long as all of them, and meanwhile
 * no request begins or is rejected, and health checks are not answered.
 */
const inATurn = { most: 32, ms: 20 }
/**
 * Many requests at once are no overload: they wait. But where the queue has not been empty for long,
 * more come than can be answered; then a short queue is as good for those that are answered.
 */
const patienceMs = { burst: 3000, standing: 1000 }
const burstMs = 3000
/** A queue that is no longer than this is accepted at first, however slow the machine is. */
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
  const countOf = new Map<string, number>()
  const isFull = (share: Share): boolean => (countOf.get(keyOf(share)) ?? 0) >= sizes.ofShare
  const queue = createWaitingQueue(now, isFull)
  let running = 0
  let withoutPermit = 0
  let begun = 0
  let began = 0
  let mayBegin = inATurn.most
  let isTurnPlanned = false

  function count(share: Share, more: 1 | -1): void {
    running += more
    const ofShare = (countOf.get(keyOf(share)) ?? 0) + more
    if (ofShare > 0) countOf.set(keyOf(share), ofShare)
    else countOf.delete(keyOf(share))
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

  /** Runs when those that began in the turn have done all that waits for nothing. */
  function measure(): void {
    if (begun === 0) return
    const fits = Math.floor((inATurn.ms * begun) / (now() - began))
    mayBegin = Math.max(1, Math.min(fits, mayBegin * 2, inATurn.most))
  }

  /** One turn of the event loop later more may begin; without a free permit nothing would change. */
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
    excessMs(shareOf = () => commonShare) {
      const age = queue.ageMs()
      if (queue.length() < shortQueue.length && age < shortQueue.ageMs) return undefined
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

/** A client's id is no address. */
const keyOf = ({ client, address }: Share): string => client ?? `from ${address}`
