import { commonShare, type Share } from './fair-shares.ts'
import { createWaitingLine } from './waiting-line.ts'

/** Lets requests in, a number at a time; the others wait, as long as it is not for too long. */
export interface Places {
  /**
   * How long whoever came now would wait, in ms, if that is too long; undefined where it is not. The
   * share is asked for only where the line is long.
   */
  excess(shareOf?: () => Share): number | undefined
  /** Runs `work` once there is a place; throws Overloaded where there is none for too long. */
  pass<Result>(work: (outside: Outside) => Promise<Result>, share?: Share): Promise<Result>
  inside(): number
  waiting(): number
}

/** Gives the place back for as long as somebody waits for what costs nothing. */
export type Outside = (wait: () => Promise<unknown>) => Promise<void>

/**
 * How many are inside at once. They wait for each other in there, the writes of a client for its
 * commits and all for connections to PostgreSQL, so more would only make all of them wait longer.
 */
export const most = 96
/** How many of these may be of one client. */
export const mostOfClient = 64
const mostWaiting = 20_000
/** How many have given their places back: they come in again without standing in the line once more. */
const mostOutside = 500
/**
 * How many begin in one turn of the event loop: it takes as long as all of them, and meanwhile nobody
 * is let in, refused, or told that the service lives.
 */
const inATurn = { most: 32, ms: 20 }
/**
 * Many requests at once are no overload: they wait. But where somebody has waited all the time, more
 * come than can be answered; then a short line is as good for those who are served.
 */
const patienceMs = { burst: 3000, standing: 1000 }
const burstMs = 3000
/** A line that is no longer than this is left alone at first, however slow the machine is. */
const shortLine = { length: 1000, ageMs: 3000 }

/** How many requests are inside at once, and how many of these may be of one share. */
interface Sizes {
  all: number
  ofShare: number
}

export function createPlaces(
  now: () => number = () => performance.now(),
  sizes: Sizes = { all: most, ofShare: most },
): Places {
  const inside = createInside(sizes.ofShare)
  const line = createWaitingLine(now, inside.isFull)
  let count = 0
  let outsideCount = 0
  let begun = 0
  let began = 0
  let mayBegin = inATurn.most
  let turning = false

  const hasPlace = (): boolean => count < sizes.all && begun < mayBegin

  function turn(): void {
    turning = false
    begun = 0
    began = now()
    line.refuseLate()
    while (hasPlace()) {
      const next = line.take()
      if (!next) break
      enter(next.share)
      next.enter()
    }
  }

  /** Runs when those that the turn let in have done all that waits for nothing. */
  function measure(): void {
    if (begun === 0) return
    const fits = Math.floor((inATurn.ms * begun) / (now() - began))
    mayBegin = Math.max(1, Math.min(fits, mayBegin * 2, inATurn.most))
  }

  /** One turn of the event loop later there are new places; without a free one nothing would change. */
  function planTurn(): void {
    if (turning || count >= sizes.all) return
    turning = true
    setImmediate(turn)
    setImmediate(measure)
  }

  function enter(share: Share): void {
    count += 1
    inside.add(share)
    begun += 1
    planTurn()
  }

  async function comeIn(share: Share): Promise<void> {
    if (line.length() === 0 && hasPlace() && !inside.isFull(share)) return enter(share)
    planTurn()
    await line.wait(share)
  }

  function goOut(share: Share): void {
    count -= 1
    inside.delete(share)
    if (line.length() > 0) planTurn()
  }

  async function waitOutside(share: Share, wait: () => Promise<unknown>): Promise<void> {
    if (outsideCount >= mostOutside) return void (await wait())
    outsideCount += 1
    goOut(share)
    try {
      await wait()
    } finally {
      outsideCount -= 1
      enter(share)
    }
  }

  return {
    inside: () => count,
    waiting: line.length,
    excess(shareOf = () => commonShare) {
      const age = line.ageMs()
      if (line.length() < shortLine.length && age < shortLine.ageMs) return undefined
      const expected = line.expectedMs(shareOf())
      const patience = age > burstMs ? patienceMs.standing : patienceMs.burst
      return expected > patience || line.length() >= mostWaiting ? expected : undefined
    },
    async pass(work, share = commonShare) {
      await comeIn(share)
      try {
        return await work((wait) => waitOutside(share, wait))
      } finally {
        goOut(share)
      }
    },
  }
}

/** How many of each share are inside. */
function createInside(mostOfShare: number) {
  const counts = new Map<string, number>()
  const add = (share: Share, more: number): void => {
    const key = keyOf(share)
    const count = (counts.get(key) ?? 0) + more
    if (count > 0) counts.set(key, count)
    else counts.delete(key)
  }
  return {
    add: (share: Share) => add(share, 1),
    delete: (share: Share) => add(share, -1),
    isFull: (share: Share) => (counts.get(keyOf(share)) ?? 0) >= mostOfShare,
  }
}

/** An id of a client is no address. */
const keyOf = ({ client, address }: Share): string => client ?? `from ${address}`
